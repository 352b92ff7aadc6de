/**
 * `npm run bench -- limits`: core/limits beside the parts of `effect` for the same purpose, which are the floor. The
 * headers of core/limits cite these figures. Times and counts are measured in simulated time, costs and memory in real
 * time.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Deferred, Duration, Effect, Fiber, Schedule, Semaphore } from "effect"
import { CircuitBreaker, RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import * as OutboundHost from "#core/limits/OutboundHost.ts"
import { mostPerHost } from "#core/limits/HostSlots.ts"
import { TokenBucket } from "#core/limits/TokenBucket.ts"
import { type Figure, figure } from "../Figure.ts"

/** Calls per measured cost, and hosts per measured memory. */
const calls = 100_000

const limit = 20

const breaker: NonNullable<OutboundHost.OutboundPolicy["breaker"]> = {
  key: (target) => target,
  faultsToOpen: 5,
  pause: { name: "probe", base: Duration.seconds(2), max: Duration.seconds(30), jitter: 0 }
}

const outbound = (policy: Partial<OutboundHost.OutboundPolicy> = {}) =>
  OutboundHost.make({ name: "host", rates: () => [], breaker, ...policy })

const chat = () => outbound({ rates: (key) => [{ key, most: limit, window: 1_000 }], maxWait: 60_000 })

type Take = (key: string) => Effect.Effect<unknown, unknown>
type Call = <A, E>(key: string, call: Effect.Effect<A, E>) => Effect.Effect<A, unknown>

type Algorithm = "token-bucket" | "fixed-window"

const ofLimiter = (
  use: (take: Take) => Effect.Effect<number>,
  algorithm: Algorithm = "token-bucket",
  most: number = limit
): Effect.Effect<number> =>
  RateLimiter.make.pipe(
    Effect.flatMap((limiter) =>
      use((key) => RateLimiter.sleep(limiter, { algorithm, key, limit: most, window: "1 second" }))
    ),
    Effect.provide(RateLimiter.layerStoreMemory)
  )

const ofBreaker = (use: (call: Call) => Effect.Effect<number>): Effect.Effect<number> =>
  CircuitBreaker.make({
    tripPolicy: CircuitBreaker.consecutive(breaker.faultsToOpen),
    openDuration: Schedule.exponential(breaker.pause.base)
  }).pipe(
    Effect.flatMap((circuits) => use((key, call) => circuits.execute(call, { key }))),
    Effect.scoped,
    Effect.provide(CircuitBreaker.layerStoreMemory())
  )

/** A call through our breaker. */
const through =
  (host: OutboundHost.OutboundHost): Call =>
  <A, E>(key: string, call: Effect.Effect<A, E>) =>
    Effect.flatMap(host.admit(key, true), (admitted): Effect.Effect<A, unknown> => {
      if (admitted._tag === "Refused") return Effect.fail("refused")
      const faulted = { _tag: "Faulted", probe: admitted._tag === "Probe", reason: "", random: 0 } as const
      return Effect.onExit(call, ({ _tag }) => host.tell(key, _tag === "Success" ? { _tag: "Answered" } : faulted))
    })

/** Maximum number of grants within any second: 19 requests in 190 ms, a rest until 900 ms, then a storm. */
const fullestSecond = Effect.fnUntraced(function* (take: Take) {
  const clock = yield* TestClock.testClockWith(Effect.succeed)
  const times: Array<number> = []
  const ask = Effect.andThen(
    take("chat"),
    Effect.sync(() => times.push(clock.currentTimeMillisUnsafe()))
  )
  const fibers: Array<Fiber.Fiber<unknown, unknown>> = []
  for (let n = 1; n < limit; n++) {
    fibers.push(yield* Effect.forkChild(ask))
    yield* TestClock.adjust(10)
  }
  yield* TestClock.adjust(900 - 10 * limit)
  for (let n = 0; n < 3 * limit; n++) fibers.push(yield* Effect.forkChild(ask))
  for (let ms = 0; ms < 10_000; ms += 10) yield* TestClock.adjust(10)
  yield* Fiber.interruptAll(fibers)
  return Math.max(...times.map((end) => times.filter((at) => at > end - 1_000 && at <= end).length))
}, Effect.provide(TestClock.layer()))

/**
 * Time from an answer to the next call that is let through. The answer belongs to a call that began before five others
 * opened the breaker. Unit: milliseconds.
 */
const lateAnswer = Effect.fnUntraced(function* (through: Call) {
  const answer = yield* Deferred.make<void>()
  const slow = yield* Effect.forkChild(Effect.exit(through("a", Deferred.await(answer))), { startImmediately: true })
  for (let n = 0; n < breaker.faultsToOpen; n++) yield* Effect.exit(through("a", Effect.fail("gone")))
  yield* TestClock.adjust(100)
  yield* Deferred.succeed(answer, undefined)
  yield* Fiber.join(slow)
  for (let ms = 0; ; ms += 100) {
    if ((yield* Effect.exit(through("a", Effect.void)))._tag === "Success") return ms
    yield* TestClock.adjust(100)
  }
}, Effect.provide(TestClock.layer()))

/** Time for which a host that does not answer keeps one more worker waiting, when its slots are taken for 10 s. */
const silentHost = Effect.fnUntraced(function* (take: Effect.Effect<unknown>) {
  const clock = yield* TestClock.testClockWith(Effect.succeed)
  const one = yield* Effect.forkChild(Effect.map(take, () => clock.currentTimeMillisUnsafe()))
  for (let ms = 0; ms < 20_000; ms += 100) yield* TestClock.adjust(100)
  return yield* Fiber.join(one)
}, Effect.provide(TestClock.layer()))

const ourSlots = Effect.gen(function* () {
  const { slots } = outbound()
  const taken = Effect.scoped(
    Effect.flatMap(slots.take("a", 0), (slot) =>
      slot._tag === "Taken" ? slot.dialling(Effect.sleep("10 seconds")) : Effect.void
    )
  )
  for (let n = 0; n < mostPerHost; n++) yield* Effect.forkChild(taken, { startImmediately: true })
  return yield* Effect.scoped(slots.take("a", 0))
})

const semaphoreSlots = Effect.suspend(() => {
  const slots = Semaphore.makeUnsafe(mostPerHost)
  const taken = slots.withPermit(Effect.sleep("10 seconds"))
  return Effect.andThen(
    Effect.forEach(Array.from({ length: mostPerHost }), () => Effect.forkChild(taken, { startImmediately: true })),
    slots.take(1)
  )
})

/** Cost of one call. Unit: microseconds. */
const cost = (call: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    yield* Effect.repeat(call, { times: calls / 10 })
    const begun = performance.now()
    yield* Effect.repeat(call, { times: calls })
    return ((performance.now() - begun) * 1_000) / calls
  }).pipe(Effect.orDie)

/** Cost of one call of a plain function. Unit: microseconds. */
const bareCost = (call: () => unknown) =>
  Effect.sync(() => {
    for (let n = 0; n < calls / 10; n++) call()
    const begun = performance.now()
    for (let n = 0; n < calls; n++) call()
    return ((performance.now() - begun) * 1_000) / calls
  })

/** Growth of the heap by calls to as many hosts. Unit: megabytes. */
const growth = (call: (host: string) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const before = heapUsed()
    for (let n = 0; n < calls; n++) yield* call(`https://host${n}.test`)
    const grown = (heapUsed() - before) / 1e6
    // Keeps the tables alive until here.
    yield* call("https://last.test")
    return Math.max(0, grown)
  }).pipe(Effect.orDie)

const heapUsed = (): number => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** A bucket that never makes a caller wait. */
const wide = { burst: 1e9, perSecond: 1e9 }

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  const of = Effect.runPromise
  const bucket = new TokenBucket(wide, 0)
  const guarded = outbound()
  const pair = async (name: string, unit: string, ours: Effect.Effect<number>, floor: Effect.Effect<number>) =>
    figure(name, await of(ours), unit, { floor: await of(floor) })
  const none = Effect.void
  const beside = (algorithm: Algorithm) =>
    pair(
      `grants in the fullest second, limit 20, beside ${algorithm}`,
      "grants",
      fullestSecond(chat().take),
      ofLimiter(fullestSecond, algorithm)
    )
  const libraryToken = ofLimiter((take) => cost(take("a")), "token-bucket", wide.perSecond)
  return [
    await beside("token-bucket"),
    await beside("fixed-window"),
    await pair(
      "rate: cost of a turn",
      "µs",
      cost(outbound({ rates: (key) => [{ key, ...wide }] }).take("a")),
      libraryToken
    ),
    await pair("rate: heap after 100,000 hosts", "MB", growth(chat().take), ofLimiter(growth)),
    await pair(
      "bucket: cost of a token",
      "µs",
      bareCost(() => bucket.tryTake(0)),
      libraryToken
    ),
    await pair(
      "breaker: cost of a call",
      "µs",
      cost(through(outbound())("a", none)),
      ofBreaker((call) => cost(call("a", none)))
    ),
    await pair(
      "breaker: heap after 100,000 healthy hosts",
      "MB",
      growth((host) => through(guarded)(host, none)),
      ofBreaker((call) => growth((host) => call(host, none)))
    ),
    await pair("breaker: closed after a late answer", "ms", lateAnswer(through(outbound())), ofBreaker(lateAnswer)),
    await pair("slots: worker waits for a silent host", "ms", silentHost(ourSlots), silentHost(semaphoreSlots))
  ]
}
