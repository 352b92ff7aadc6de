/**
 * Looks again at what was seen failing and that nobody has used since, so that `/health` learns of an outage's end on a
 * quiet day too. It asks while something is degraded, ever more rarely, and nobody otherwise.
 */
import { Clock, Duration, Effect, Random } from "effect"
import * as Backoff from "#core/supervision/Backoff.ts"
import { Speech } from "#core/speech/Speech.ts"
import { Actor, type ActorSpec } from "#core/supervision/Supervisor.ts"
import { ComponentProbes, probeTimeout } from "./ComponentProbes.ts"
import * as PeerHealth from "./PeerHealth.ts"

/** Reason: told soon after a short outage, half a minute after a long one, which costs its other side two questions a minute. */
export const pause: Backoff.Backoff = {
  name: "recheck",
  base: Duration.seconds(5),
  max: Duration.seconds(30),
  jitter: 0.2
}

/** Beyond the longest pause and what the providers of speech may take one after the other. */
const stallAfter = Duration.minutes(3)

/**
 * Unit: milliseconds since the last failure. The messenger is tried by what waits for it, at most 31 s apart and each for at
 * most 30 s: as long as that fails, an API that knows our name is not one that takes messages.
 */
export const untouched = { cache: 0, messenger: 65_000 } as const

export type Rechecked = keyof typeof untouched

/** The parts to be asked now. */
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
      yield* actor.note(ailing ? "asks again what has failed" : "idle")
      yield* Effect.forEach(due(seen, yield* Clock.currentTimeMillis), ask)
      if (mute && (yield* speech.recheck).status === "ok") yield* Effect.logInfo("the speech gateway speaks again")
      yield* Effect.sleep(Backoff.delay(pause, Math.max(1, tries), yield* Random.next))
    }
  })
}
