/**
 * Where a feature registers answers that bypass the router: fast-lane handlers and WebSocket upgrades. One registry per
 * daemon; the daemon reads it once, after all its features are built.
 */
import { Context, Effect, Layer } from "effect"
import { rawProblem } from "../http/NodeProblem.ts"
import type { UpgradeListener } from "../http/Listener.ts"
import type { FastHandler } from "./FastLane.ts"

interface Registered {
  readonly handlers: ReadonlyMap<string, FastHandler>
  /** Paths of all handlers and upgrades, for the check that a route leads to each. */
  readonly paths: ReadonlyArray<string>
  /** Undefined when no feature takes upgrades. */
  readonly upgrade: UpgradeListener | undefined
}

export class Lane extends Context.Service<
  Lane,
  {
    /** Key: `METHOD /path` in the forms of `FastLane`. A key that is registered twice is a defect. */
    readonly handle: (key: string, handler: FastHandler) => Effect.Effect<void>
    /** Takes upgrade requests for exactly this path. A path that is registered twice is a defect. */
    readonly upgrade: (path: string, listener: UpgradeListener) => Effect.Effect<void>
    readonly registered: Effect.Effect<Registered>
  }
>()("signalbox/core/Lane") {
  /** Registers one fast-lane handler of the feature that is being built. */
  static readonly handle = (key: string, handler: FastHandler): Effect.Effect<void, never, Lane> =>
    Effect.flatMap(Lane, (lane) => lane.handle(key, handler))

  /** Registers several fast-lane handlers. */
  static readonly handleAll = (
    handlers: Iterable<readonly [key: string, handler: FastHandler]>
  ): Effect.Effect<void, never, Lane> =>
    Effect.flatMap(Lane, (lane) =>
      Effect.forEach(handlers, ([key, handler]) => lane.handle(key, handler), { discard: true })
    )

  /** Registers a WebSocket endpoint. */
  static readonly upgrade = (path: string, listener: UpgradeListener): Effect.Effect<void, never, Lane> =>
    Effect.flatMap(Lane, (lane) => lane.upgrade(path, listener))
}

export const layer: Layer.Layer<Lane> = Layer.sync(Lane, () => {
  const handlers = new Map<string, FastHandler>()
  const upgrades = new Map<string, UpgradeListener>()
  return Lane.of({
    handle: (key, handler) => register(handlers, key, handler),
    upgrade: (path, listener) => register(upgrades, path, listener),
    registered: Effect.sync(() => ({
      handlers,
      paths: [...Array.from(handlers.keys(), (key) => key.slice(key.indexOf(" ") + 1)), ...upgrades.keys()],
      upgrade: upgrades.size === 0 ? undefined : byPath(upgrades)
    }))
  })
})

const register = <Value>(registry: Map<string, Value>, key: string, value: Value): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (registry.has(key)) return Effect.die(new Error(`${key} is registered twice`))
    registry.set(key, value)
    return Effect.void
  })

/** Answers 404 on a path that no feature registered. A trailing slash does not matter. */
const byPath =
  (upgrades: ReadonlyMap<string, UpgradeListener>): UpgradeListener =>
  (request, socket, head) => {
    const path = (request.url ?? "/").split("?", 1)[0]!
    const listener = upgrades.get(path) ?? upgrades.get(path.replace(/\/$/, ""))
    if (listener === undefined) socket.end(rawProblem(404))
    else listener(request, socket, head)
  }
