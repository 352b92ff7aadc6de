/** Baseline of the checks: a bare loop that runs the same probes of one address, evenly over each interval. */
import { Duration, Effect, Fiber, Layer, ManagedRuntime } from "effect"
import { OutboundHttp } from "#core/http/OutboundHttp.ts"
import * as Http from "#core/probes/Http.ts"

/** `interval`: milliseconds. */
export interface BareOrder {
  readonly url: string
  readonly checks: number
  readonly interval: number
}

process.once("message", ({ checks, interval, url }: BareOrder) => {
  const runtime = ManagedRuntime.make(Layer.fresh(OutboundHttp.layer))
  let count = 0
  const loop = Effect.gen(function* () {
    const http = yield* OutboundHttp
    const begin = performance.now()
    for (let number = 1; ; number++) {
      yield* Effect.forkChild(
        Effect.andThen(
          Http.probe(http, { url, expect: null, contains: null }, Duration.seconds(10)),
          Effect.sync(() => void count++)
        )
      )
      const due = begin + (number * interval) / checks
      const left = due - performance.now()
      if (left > 1) yield* Effect.sleep(left)
    }
  })
  const fiber = runtime.runFork(loop)
  process.on("disconnect", () => {
    Effect.runFork(Fiber.interrupt(fiber))
    process.exit(0)
  })
  // Each further message asks for the number of probes so far.
  process.on("message", () => process.send!({ count }))
  process.send!({ port: 0 })
})
