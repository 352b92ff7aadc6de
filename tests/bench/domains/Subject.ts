/**
 * Subject of the measurement: the sweep of dns-verifier in a separate process, with only the parts of the daemon that
 * it needs.
 */
import { Effect, Layer, References } from "effect"
import { NotificationWanted } from "#core/contracts/Notifications.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import { observerLimits } from "#daemons/dns-verifier/verification/observe/Limits.ts"
import * as Observer from "#daemons/dns-verifier/verification/observe/Observer.ts"
import * as Sweep from "#daemons/dns-verifier/verification/sweep/SweepShard.ts"
import { frame, run } from "#support/Frame.ts"
import { addresses, port, resolver } from "./Place.ts"
import { PlanWanted } from "#daemons/dns-verifier/domain-store/PlanRequests.ts"

export interface Order {
  readonly target: ConnectionTarget
  /** Length of a minute of the checks. Unit: milliseconds. */
  readonly minute: number
}

export interface Count {
  readonly looks: number
  readonly written: number
  readonly deep: number
  readonly failed: number
  /** Processor time. Unit: microseconds. */
  readonly processor: number
  /** Resident memory. Unit: bytes. */
  readonly resident: number
  /** Memory in use after a garbage collection, on and off the heap, when requested. Unit: bytes. */
  readonly kept: number | undefined
  /** Delay of the most overdue domain. Unit: seconds. */
  readonly late: number
}

/**
 * Rates without an effective limit, because two servers stand for all name servers of the world, and the figure must
 * measure us. Half of the shipped limit is in flight at the resolver. More would not make the single server faster, and
 * the garbage collector would copy the waiting queries.
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
      dnsStrict: false,
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
