/** Requests `/health` of a gateway, or of each daemon on its own port, and combines the answers. */
import { Effect } from "effect"
import { type Daemon, portVariable } from "../daemon/Daemon.ts"
import { settings } from "../config/Environment.ts"
import { type Verdict, worst } from "../daemon/Health.ts"
import { platformSettings } from "../config/PlatformSettings.ts"
import * as Settings from "../config/Settings.ts"
import { colour, columns } from "./Output.ts"

/** How long one answer may take. Unit: milliseconds. Reason: `/health` itself waits 2 s for the database. */
const patience = 5_000

export interface DaemonHealth {
  readonly status: Verdict
  /** Components and actors that are not ok, or that the daemon does not answer. */
  readonly detail: string
}

export interface SuiteHealth {
  readonly status: Verdict
  readonly url: string
  readonly daemons: Readonly<Record<string, DaemonHealth>>
}

const ask = (base: string): Effect.Effect<unknown> =>
  Effect.promise(async () => {
    try {
      const response = await fetch(`${base}/health`, { signal: AbortSignal.timeout(patience) })
      return await response.json()
    } catch {
      return undefined
    }
  })

/** Probes a gateway or a single daemon at `base`. */
export const probe = (base: string): Effect.Effect<SuiteHealth> =>
  Effect.map(ask(base.replace(/\/+$/, "").replace(/\/health$/, "")), (answer) => read(base, answer))

/** Probes the gateway of the local configuration; without a gateway, every daemon on its own port. */
export const probeHere = (daemons: ReadonlyArray<Daemon>) =>
  Effect.gen(function* () {
    const config = yield* settings(platformSettings)
    const host =
      config.bind === "0.0.0.0"
        ? "127.0.0.1"
        : config.bind === "::"
          ? "[::1]"
          : config.bind.includes(":")
            ? `[${config.bind}]`
            : config.bind
    const gateway = `http://${host}:${config.gatewayPort}`
    const answer = yield* ask(gateway)
    if (answer !== undefined) return read(gateway, answer)
    const each = yield* Effect.forEach(
      daemons,
      (daemon) =>
        Effect.gen(function* () {
          const { port } = yield* settings({
            port: Settings.port(portVariable(daemon.name), { doc: "", default: daemon.port })
          })
          return [daemon.name, readDaemon(yield* ask(`http://${host}:${port}`))] as const
        }),
      { concurrency: 8 }
    )
    return {
      status: worst(each.map(([, { status }]) => status)),
      url: gateway,
      daemons: Object.fromEntries(each)
    } satisfies SuiteHealth
  })

/** Reads a `/health` answer: a gateway's has `daemons`, a daemon's has `components` and `actors`. Pure. */
export const read = (url: string, answer: unknown): SuiteHealth => {
  const body = record(answer)
  if (body === undefined) return { status: "down", url, daemons: {} }
  const daemons = record(body["daemons"])
  if (daemons === undefined) {
    const own = readDaemon(body)
    return { status: own.status, url, daemons: { [String(body["daemon"] ?? "daemon")]: own } }
  }
  const each = Object.entries(daemons).map(([name, daemon]) => [name, readDaemon(daemon)] as const)
  return { status: verdictOf(body["status"]), url, daemons: Object.fromEntries(each) }
}

const readDaemon = (answer: unknown): DaemonHealth => {
  const body = record(answer)
  if (body === undefined) return { status: "down", detail: "does not answer" }
  const components = Object.entries(record(body["components"]) ?? {}).flatMap(([name, value]) => {
    const component = record(value)
    const status = component?.["status"]
    return status === "ok" || status === "unconfigured"
      ? []
      : [`${name} ${String(status)}${component?.["detail"] ? `: ${String(component["detail"])}` : ""}`]
  })
  const actors = (Array.isArray(body["actors"]) ? body["actors"] : [])
    .map(record)
    .flatMap((actor) =>
      actor === undefined ||
      (actor["stalled"] !== true && actor["state"] !== "waiting" && actor["state"] !== "escalated")
        ? []
        : [
            `${String(actor["name"])} ${actor["stalled"] === true ? "stalled" : String(actor["state"])}${
              record(actor["last_failure"]) ? `: ${String(record(actor["last_failure"])!["message"])}` : ""
            }`
          ]
    )
  return { status: verdictOf(body["status"]), detail: [...components, ...actors].join("; ") }
}

const verdictOf = (status: unknown): Verdict => (status === "ok" || status === "degraded" ? status : "down")

const record = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined

/** Exit status: 0 ok, 1 degraded, 2 down. */
export const exitOf = ({ status }: SuiteHealth): number => ({ ok: 0, degraded: 1, down: 2 })[status]

const shades = { ok: "green", degraded: "yellow", down: "red" } as const

/** Table of all daemons and their status. */
export const lines = (seen: SuiteHealth): ReadonlyArray<string> => {
  const daemons = Object.entries(seen.daemons)
  if (daemons.length === 0) return [`${colour("red", "down")}  no daemon answers at ${seen.url}`]
  return columns([
    ...daemons.map(([name, daemon]) => [name, colour(shades[daemon.status], daemon.status), daemon.detail]),
    ["all", colour(shades[seen.status], seen.status), ""]
  ])
}
