/**
 * Answers `GET /comm/health`: runs all probes at once, each with a time limit, and keeps the answer for a moment, so
 * that frequent requests cause few probes.
 */
import { Clock, Context, Duration, Effect, Fiber, Layer, Semaphore } from "effect"
import type { CommComponents, CommHealthResponse } from "./HealthResponse.ts"
import { ComponentProbes, probeTimeout, type Probes } from "./ComponentProbes.ts"

/** How long an answer is kept. Reason: at most one probe per service in 5 s. */
export const kept = Duration.seconds(5)

export class CommHealth extends Context.Service<
  CommHealth,
  {
    /** The kept answer, or a new one. */
    readonly report: Effect.Effect<CommHealthResponse>
    /** An answer of probes that begin now. It is kept too. */
    readonly probe: Effect.Effect<CommHealthResponse>
  }
>()("signalbox/comm-dispatcher/CommHealth") {}

export const layer: Layer.Layer<CommHealth, never, ComponentProbes> = Layer.effect(
  CommHealth,
  Effect.gen(function* () {
    const probes = yield* ComponentProbes
    const scope = yield* Effect.scope
    const deciding = yield* Semaphore.make(1)
    let asked: { readonly at: number; readonly answer: Fiber.Fiber<CommHealthResponse> } | undefined
    // Runs in the layer's scope: a caller that disconnects must not cancel the probes of the others.
    const answer = (longest: number) =>
      deciding
        .withPermit(
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            if (asked === undefined || now - asked.at >= longest) {
              asked = { at: now, answer: yield* Effect.forkIn(ask(probes), scope) }
            }
            return asked.answer
          })
        )
        .pipe(Effect.flatMap(Fiber.join))
    return CommHealth.of({ report: answer(Duration.toMillis(kept)), probe: answer(0) })
  })
)

const ask = (probes: Probes): Effect.Effect<CommHealthResponse> =>
  Effect.map(
    Effect.all(
      {
        cache: timed(probes.cache, { status: "degraded", latency_ms: null, detail: late }),
        tts: timed(probes.tts, { status: "degraded", provider: null, detail: late }),
        telephony: timed(probes.telephony, { status: "degraded", detail: late }),
        messenger: timed(probes.messenger, { status: "degraded", detail: late })
      },
      { concurrency: "unbounded" }
    ),
    (components) => ({ status: verdict(components), components })
  )

const late = `no answer within ${Duration.toSeconds(probeTimeout)} s`

const timed = <A>(probe: Effect.Effect<A>, otherwise: NoInfer<A>): Effect.Effect<A> =>
  Effect.timeoutOrElse(probe, { duration: probeTimeout, orElse: () => Effect.succeed(otherwise) })

/** Unconfigured components degrade nothing. */
export const verdict = (components: CommComponents): CommHealthResponse["status"] =>
  Object.values(components).some(({ status }) => status === "degraded") ? "degraded" : "ok"
