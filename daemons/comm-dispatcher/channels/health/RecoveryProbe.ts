/**
 * Probes failed services that are not in use, so that `/health` shows the end of an outage without traffic. Runs probes
 * only while something is degraded, with growing pauses.
 */
import { Clock, Duration, Effect, Random } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"
import { Speech } from "#core/speech/Speech.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { ComponentProbes, probeTimeout } from "./ComponentProbes.ts"
import * as PeerHealth from "./PeerHealth.ts"

/**
 * Pauses between probes. Reason: short outages end quickly in `/health`; long ones cost the service two requests a
 * minute.
 */
export const pause: Backoff.Backoff = {
  name: "recheck",
  base: Duration.seconds(5),
  max: Duration.seconds(30),
  jitter: 0.2
}

/** Above the longest pause plus the time that all speech providers may take in sequence. */
const stallAfter = Duration.minutes(3)

/**
 * Time since the last failure before a probe. Unit: milliseconds. Waiting messages try the messenger themselves, at
 * most 31 s apart and for up to 30 s. While these fail, an API that accepts the token still takes no messages.
 */
export const untouched = { cache: 0, messenger: 65_000 } as const

export type Rechecked = keyof typeof untouched

/** The services to probe now. */
export const due = (seen: Readonly<Record<PeerHealth.Part, PeerHealth.Seen>>, now: number): ReadonlyArray<Rechecked> =>
  (["cache", "messenger"] as const).filter(
    (part) => PeerHealth.isFailing(seen[part]) && now - seen[part].failure!.at >= untouched[part]
  )

const ask = Effect.fnUntraced(function* (part: Rechecked) {
  const probes = yield* ComponentProbes
  const health = yield* PeerHealth.PeerHealth
  const answer: Effect.Effect<{ readonly status: string }> = probes[part]
  const found = yield* Effect.timeoutOption(answer, probeTimeout)
  if (found._tag === "None" || found.value.status !== "ok") return
  yield* health.note(part, { at: yield* Clock.currentTimeMillis, ok: true })
  yield* Effect.logInfo(`the ${part} answers again`)
})

export const recoveryProbe: ActorSpec<ComponentProbes | PeerHealth.PeerHealth | Speech> = {
  name: "recheck",
  stallAfter,
  run: Effect.gen(function* () {
    const actor = yield* Actor
    const health = yield* PeerHealth.PeerHealth
    const speech = yield* Speech
    let tries = 0
    while (true) {
      yield* actor.progress
      const seen = yield* health.seen
      const mute = (yield* speech.status).status === "degraded"
      const ailing = mute || PeerHealth.isFailing(seen.cache) || PeerHealth.isFailing(seen.messenger)
      tries = ailing ? tries + 1 : 0
      yield* actor.note(ailing ? "probing failed components" : "idle")
      yield* Effect.forEach(due(seen, yield* Clock.currentTimeMillis), ask)
      if (mute && (yield* speech.recheck).status === "ok") yield* Effect.logInfo("the speech gateway speaks again")
      yield* Effect.sleep(Backoff.delay(pause, Math.max(1, tries), yield* Random.next))
    }
  })
}
