import { it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Scope } from "effect"
import { expect } from "vitest"
import * as HashThreads from "#core/password/HashThreads.ts"
import { until } from "#support/Frame.ts"

/** A worker thread that runs `body` for each job. `shared` is memory shared with the test. */
const worker = (body: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads"
    parentPort.on("message", (job) => {
      const shared = new Int32Array(job.salt.buffer)
      ${body}
      parentPort.postMessage(job.password.slice())
    })`)}`
  )

/** Counts started jobs in [0] and blocks each until [1] is set. */
const holding = worker("Atomics.add(shared, 0, 1); Atomics.wait(shared, 1, 0)")

const sharedMemory = () => new Int32Array(new SharedArrayBuffer(8))
const begun = (shared: Int32Array, count: number) =>
  until(
    `${count} jobs begun`,
    Effect.sync(() => Atomics.load(shared, 0) >= count)
  )
const letGo = (shared: Int32Array) =>
  Effect.sync(() => {
    Atomics.store(shared, 1, 1)
    Atomics.notify(shared, 1)
  })

const job =
  (shared: Int32Array, password = "secret words") =>
  () => ({
    password: new TextEncoder().encode(password),
    salt: new Uint8Array(shared.buffer),
    parameters: { memory: 8, passes: 1, parallelism: 1 },
    length: 16
  })

const options = { threads: 1, queue: 2, timeout: Duration.seconds(15) }
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

it.live("starts threads on demand up to the limit, and refuses jobs beyond the queue", () =>
  Effect.gen(function* () {
    const threads = yield* HashThreads.make({ ...options, threads: 2, file: holding })
    const shared = sharedMemory()
    expect(threads.alive()).toBe(0)
    const first = yield* Effect.forkChild(threads.hash(job(shared, "1")), { startImmediately: true })
    yield* begun(shared, 1)
    expect(threads.alive()).toBe(1)
    const others = yield* Effect.forEach(["2", "3", "4"], (name) =>
      Effect.forkChild(threads.hash(job(shared, name)), { startImmediately: true })
    )
    yield* begun(shared, 2)
    expect(threads.alive()).toBe(2)
    expect(yield* Effect.flip(threads.hash(job(shared, "5")))).toMatchObject({ _tag: "Busy", reason: "Full" })
    expect(Atomics.load(shared, 0)).toBe(2)
    yield* letGo(shared)
    expect((yield* Effect.forEach([first, ...others], Fiber.join)).map(text)).toEqual(["1", "2", "3", "4"])
    expect(threads.alive()).toBe(2)
    expect(text(yield* threads.hash(job(shared, "6")))).toBe("6")
  })
)

it.live("a job whose thread dies is retried once; a second death fails it, and others continue", () =>
  Effect.gen(function* () {
    const threads = yield* HashThreads.make({
      ...options,
      file: worker("if (Atomics.sub(shared, 0, 1) > 0) throw new Error(Buffer.from(job.password).toString())")
    })
    const deaths = (count: number) => {
      const shared = sharedMemory()
      shared[0] = count
      return shared
    }
    expect(text(yield* threads.hash(job(deaths(1))))).toBe("secret words")
    const killer = deaths(9)
    const [broken, fine] = yield* Effect.all(
      [Effect.flip(threads.hash(job(killer))), threads.hash(job(deaths(0), "next"))],
      { concurrency: 2 }
    )
    expect(broken).toMatchObject({ reason: "Broken" })
    expect(killer[0]).toBe(7)
    expect(JSON.stringify(broken) + String(broken)).not.toContain("secret")
    expect(text(fine)).toBe("next")
    expect(threads.alive()).toBe(1)
  })
)

it.live("a worker that exits or does not exist counts as dead", () =>
  Effect.gen(function* () {
    for (const file of [worker("process.exit(0)"), new URL("file:///nowhere/worker.js")]) {
      const threads = yield* HashThreads.make({ ...options, file })
      expect(yield* Effect.flip(threads.hash(job(sharedMemory())))).toMatchObject({ reason: "Broken" })
    }
  })
)

it.live("a slow thread is ended and replaced", () =>
  Effect.gen(function* () {
    const file = worker("if (Atomics.add(shared, 0, 1) === 0) while (true) Atomics.add(shared, 1, 1)")
    const threads = yield* HashThreads.make({ ...options, timeout: Duration.seconds(1), file })
    const shared = sharedMemory()
    const [slow, fine] = yield* Effect.all(
      [Effect.flip(threads.hash(job(shared))), Effect.retry(threads.hash(job(shared, "next")), { times: 3 })],
      { concurrency: 2 }
    )
    expect(slow).toMatchObject({ reason: "TimedOut" })
    expect(text(fine)).toBe("next")
    yield* stands(shared)
  })
)

it.live("an interrupted caller leaves the queue, and ends no thread", () =>
  Effect.gen(function* () {
    const threads = yield* HashThreads.make({ ...options, queue: 1, file: holding })
    const shared = sharedMemory()
    const running = yield* Effect.forkChild(threads.hash(job(shared, "1")), { startImmediately: true })
    yield* begun(shared, 1)
    const waiting = yield* Effect.forkChild(threads.hash(job(shared, "2")), { startImmediately: true })
    yield* Fiber.interrupt(waiting)
    const next = yield* Effect.forkChild(threads.hash(job(shared, "3")), { startImmediately: true })
    yield* Fiber.interrupt(running)
    yield* letGo(shared)
    expect(text(yield* Fiber.join(next))).toBe("3")
    expect(Atomics.load(shared, 0)).toBe(2)
    expect(threads.alive()).toBe(1)
  })
)

it.live("ends its threads with the scope, and fails waiting callers", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const threads = yield* Scope.provide(
      HashThreads.make({
        ...options,
        file: worker("Atomics.store(shared, 0, 1); while (true) Atomics.add(shared, 1, 1)")
      }),
      scope
    )
    const shared = sharedMemory()
    const fibers = yield* Effect.forEach([1, 2], () =>
      Effect.forkChild(Effect.flip(threads.hash(job(shared))), { startImmediately: true })
    )
    yield* begun(shared, 1)
    yield* Scope.close(scope, Exit.void)
    expect((yield* Effect.forEach(fibers, Fiber.join)).map((busy) => busy.reason)).toEqual(["Stopped", "Stopped"])
    expect(threads.alive()).toBe(0)
    expect(yield* Effect.flip(threads.hash(job(shared)))).toMatchObject({ reason: "Stopped" })
    yield* stands(shared)
  })
)

it.live("wipes the password once a thread has it", () =>
  Effect.gen(function* () {
    const threads = yield* HashThreads.make({ ...options, file: worker("") })
    const given = job(sharedMemory())()
    expect(text(yield* threads.hash(() => given))).toBe("secret words")
    expect(given.password.every((byte) => byte === 0)).toBe(true)
  })
)

/** Waits until the thread that counts in [1] has ended. */
const stands = (shared: Int32Array) =>
  until(
    "the thread has ended",
    Effect.gen(function* () {
      const before = Atomics.load(shared, 1)
      yield* Effect.sleep(50)
      return Atomics.load(shared, 1) === before && before > 0
    })
  )
