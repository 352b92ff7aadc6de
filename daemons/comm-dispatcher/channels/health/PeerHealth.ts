/**
 * Health of external services as this process observed it, for `/health`; no request is sent for the report. In memory;
 * the ledger has the complete history.
 */
import { Context, Effect, Layer } from "effect"
import type { Component } from "#core/daemon/Health.ts"
import type { Outcome } from "../Outcome.ts"

export type Part = "messenger" | "webhook" | "cache"

/** `at`: epoch milliseconds. */
export interface Sighting {
  readonly at: number
  readonly ok: boolean
  readonly reason?: string
}

/** Last success and last failure. */
export interface Seen {
  readonly success?: Sighting
  readonly failure?: Sighting
}

export class PeerHealth extends Context.Service<
  PeerHealth,
  {
    /** Records an observation. Returns the state before. */
    readonly note: (part: Part, sighting: Sighting) => Effect.Effect<Seen>
    readonly seen: Effect.Effect<Readonly<Record<Part, Seen>>>
  }
>()("signalbox/comm-dispatcher/PeerHealth") {}

export const layer: Layer.Layer<PeerHealth> = Layer.sync(PeerHealth, () => {
  const seen: Record<Part, Seen> = { messenger: {}, webhook: {}, cache: {} }
  return PeerHealth.of({
    note: (part, sighting) =>
      Effect.sync(() => {
        const before = seen[part]
        seen[part] = { ...before, [sighting.ok ? "success" : "failure"]: sighting }
        return before
      }),
    seen: Effect.sync(() => ({ ...seen }))
  })
})

/**
 * What an outcome says about the channel. Undefined: nothing, because only this target was refused (an unknown chat, a
 * forbidden address).
 */
export const sightingOf = (outcome: Outcome, at: number): Sighting | undefined => {
  switch (outcome._tag) {
    case "Delivered":
      return { at, ok: true }
    case "Retryable":
      return { at, ok: false, reason: outcome.reason }
    case "Permanent":
      return outcome.fault === "channel" ? { at, ok: false, reason: outcome.reason } : undefined
  }
}

/** Whether the last observation is a failure. */
export const isFailing = ({ failure, success }: Seen): boolean =>
  failure !== undefined && failure.at >= (success?.at ?? 0)

/**
 * `degraded` while the last observation is a failure. A webhook's failure concerns one receiver and degrades nothing.
 */
export const componentOf = (part: Part, seen: Seen): Component => {
  const { failure, success } = seen
  const failing = isFailing(seen)
  return {
    status: failing && part !== "webhook" ? "degraded" : "ok",
    ...(failing ? { detail: failure?.reason } : {}),
    ...(success === undefined ? {} : { last_success: new Date(success.at).toISOString() }),
    ...(failure === undefined ? {} : { last_failure: new Date(failure.at).toISOString() })
  } as Component
}
