/**
 * What this process has seen of its other sides, for `/health`: no question is asked for the report. The ledger has the
 * same in full; this is the short memory.
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

/** The last of each kind. */
export interface Seen {
  readonly success?: Sighting
  readonly failure?: Sighting
}

export class PeerHealth extends Context.Service<
  PeerHealth,
  {
    /** Notes what was seen; answers what held before. */
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
 * What an outcome says about the channel itself. Undefined: nothing, because only this one target was refused (a chat
 * that does not exist, an address that is forbidden).
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

/** Whether a failure is the newest fact. */
export const isFailing = ({ failure, success }: Seen): boolean =>
  failure !== undefined && failure.at >= (success?.at ?? 0)

/** `degraded` while a failure is the newest fact; receivers of webhooks are many, so one's failure is told and degrades nothing. */
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
