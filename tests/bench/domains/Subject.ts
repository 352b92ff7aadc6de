/**
 * What is measured: the sweep of dns-verifier in a process of its own, with nothing else of the daemon but what it
 * stands on.
 */
import { Effect, Layer, References } from "effect"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import { observerLimits } from "#daemons/dns-verifier/observe/Limits.ts"
import * as Observer from "#daemons/dns-verifier/observe/Observer.ts"
import * as Sweep from "#daemons/dns-verifier/sweep/SweepShard.ts"
import { PlanWanted } from "#daemons/dns-verifier/zones/ZoneJobs.ts"
import { frame, run } from "#support/Frame.ts"
import { addresses, port, resolver } from "./Place.ts"

export interface Order {
  readonly target: ConnectionTarget
  /** Unit: milliseconds. */
  readonly minute: number
}

export interface Count {
  readonly looks: number
  readonly written: number
  readonly deep: number
  readonly failed: number
  /** Unit: microseconds. */
  readonly processor: number
  /** Unit: bytes. */
  readonly resident: number
  /** What is left when all garbage is collected, in the heap and beside it; where that was asked for. Unit: bytes. */
  readonly kept: number | undefined
  /** Unit: seconds. */
  readonly late: number
}

/**
 * As many a second as there are: two servers stand for those of the world, and the figure is ours, not theirs. Half of
 * the shipped bound is asked of the resolver at a time, which keeps us busy: the one server here answers no faster for
 * more, and what waits for it is copied by the collector.
 */
const limits = { ...observerLimits, authority: { inFlight: 128, rate: 1e6 }, resolver: { inFlight: 64, rate: 1e6 } }

const collected = () => {
  globalThis.gc!()
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}

const main = (order: Order) =>
  Effect.gen(function* () {
    const context = yield* frame({
      target: order.target,
      queues: [NotificationWanted.queue, PlanWanted.queue],
      names: ["dns-verifier"]
    })
    const settings = {
      platformIpv4: addresses.ipv4,
      platformIpv6: addresses.ipv6,
      dnsErrorAfter: 3,
      dnsMinute: order.minute
    }
    const observer = Observer.layer(
      { resolvers: [`${resolver}:${port}`], dnsAllowCidrs: ["127.0.0.0/8"], dnsPort: port },
      limits
    )
    yield* Effect.provideContext(
      Effect.gen(function* () {
        const built = yield* Layer.build(Layer.merge(Sweep.layer(settings), observer))
        yield* Effect.provideContext(Effect.forEach(Sweep.sweepActors, run, { discard: true }), built as never)
        const { state } = yield* Effect.provideContext(Sweep.Sweep, built)
        process.on("message", ({ collect }: { readonly collect?: boolean }) => {
          const { system, user } = process.cpuUsage()
          const late = Number(state.component()["oldest_window_s"])
          const resident = process.memoryUsage.rss()
          process.send!({
            looks: state.looks,
            written: state.written,
            deep: state.deep,
            failed: state.failed,
            processor: user + system,
            resident,
            kept: collect === true ? collected() : undefined,
            late
          } satisfies Count)
        })
        process.send!({ ready: true })
        yield* Effect.never
      }),
      context as never
    )
  }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "Warn"))

process.once(
  "message",
  (order: Order) =>
    void Effect.runPromise(main(order) as Effect.Effect<never, unknown>).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      process.exit(1)
    })
)
process.send!({ started: true })
