import { expect, it } from "@effect/vitest"
import { Cause, Duration, Effect, Exit, Fiber, Scope } from "effect"
import * as WorkerThreads from "#core/supervision/WorkerThreads.ts"
import { until } from "#support/Frame.ts"

interface Task {
  readonly does?: string
  readonly name?: string
  /** [0] counts started tasks. [1] releases a task that holds, and is the counter of a task that spins. */
  readonly shared?: Int32Array
}

/** A worker thread controlled by the task. It answers with its id and the received data. */
const file = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort, threadId } from "node:worker_threads"
  parentPort.on("message", ({ does, name, shared }) => {
    if (shared) Atomics.add(shared, 0, 1)
    if (does === "hold") Atomics.wait(shared, 1, 0)
    if (does === "hold, then die") { Atomics.wait(shared, 1, 0); process.exit(1) }
    if (does === "spin") for (;;) Atomics.add(shared, 1, 1)
    if (does === "throw") throw new Error("thrown by " + name)
    if (does === "throw once" && Atomics.load(shared, 0) === 1) throw new Error("once")
    if (does === "exit") process.exit(0)
    if (does === "eat") { const held = []; for (;;) held.push(new Array(1e5).fill({})) }
    if (does === "exit later") setTimeout(() => process.exit(0), 1)
    parentPort.postMessage({ name, threadId, env: process.env, execArgv: process.execArgv })
  })`)}`
)

interface Answer {
  readonly name?: string
  readonly threadId: number
  readonly env: object
  readonly execArgv: ReadonlyArray<string>
}

const make = (options: Partial<WorkerThreads.WorkerThreadsOptions<Task>> = {}) =>
  Effect.map(
    WorkerThreads.make<Task, Answer>({
      file,
      threads: 1,
      queue: 2,
      timeout: Duration.seconds(30),
      idle: Duration.minutes(5),
      heap: 16,
      abandoned: "end",
      ...options
    }),
    ({ alive, run }) => ({
      alive,
      run: (task: Task) => run(() => task),
      making: run,
      /** Starts a task. Returns the fiber of its answer; the pool already has the task then. */
      start: (task: Task) =>
        Effect.forkChild(
          run(() => task),
          { startImmediately: true }
        )
    })
  )

const sharedMemory = () => new Int32Array(new SharedArrayBuffer(8))
const begun = (shared: Int32Array, count: number) =>
  until(
    `${count} tasks begun`,
    Effect.sync(() => Atomics.load(shared, 0) >= count)
  )
const letGo = (shared: Int32Array) => {
  Atomics.store(shared, 1, 1)
  Atomics.notify(shared, 1)
}
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

it.live("starts threads on demand up to the limit, one task each, in order, and refuses tasks beyond the queue", () =>
  Effect.gen(function* () {
    const pool = yield* make({ threads: 2 })
    const shared = sharedMemory()
    expect(pool.alive()).toBe(0)
    const first = yield* pool.start({ does: "hold", name: "1", shared })
    yield* begun(shared, 1)
    expect(pool.alive()).toBe(1)
    const others = yield* Effect.forEach(["2", "3", "4"], (name) => pool.start({ does: "hold", name, shared }))
    expect(yield* Effect.flip(pool.run({ name: "5" }))).toMatchObject({
      _tag: "ThreadError",
      reason: "Full",
      message: "2 wait already"
    })
    yield* begun(shared, 2)
    expect([pool.alive(), shared[0]]).toEqual([2, 2])
    letGo(shared)
    const answers = yield* Effect.forEach([first, ...others], Fiber.join)
    expect(answers.map(({ name }) => name)).toEqual(["1", "2", "3", "4"])
    expect(new Set(answers.map(({ threadId }) => threadId)).size).toBe(2)
    expect(yield* pool.run({ name: "6" })).toMatchObject({ name: "6" })
  })
)

it.live("serves callers in order", () =>
  Effect.gen(function* () {
    const pool = yield* make()
    const shared = sharedMemory()
    const order: Array<string> = []
    const fibers = yield* Effect.forEach(["1", "2", "3"], (name) =>
      Effect.forkChild(
        Effect.tap(
          pool.making(() => ({ does: "hold", name, shared })),
          () => Effect.sync(() => order.push(name))
        ),
        { startImmediately: true }
      )
    )
    letGo(shared)
    yield* Effect.forEach(fibers, Fiber.join)
    expect(order).toEqual(["1", "2", "3"])
  })
)

it.live("an idle thread ends after its time and the next task gets a new one; a busy thread stays", () =>
  Effect.gen(function* () {
    const pool = yield* make({ idle: Duration.millis(20) })
    const before = yield* pool.run({})
    const shared = sharedMemory()
    const held = yield* pool.start({ does: "hold", shared })
    yield* begun(shared, 1)
    yield* Effect.sleep(100)
    expect([pool.alive(), shared[0]]).toEqual([1, 1])
    letGo(shared)
    const { threadId } = yield* Fiber.join(held)
    yield* until(
      "no thread is left",
      Effect.sync(() => pool.alive() === 0)
    )
    const next = yield* pool.run({})
    expect(next.threadId).not.toBe(threadId)
    expect(next.threadId).not.toBe(before.threadId)
  })
)

it.live("the same idle thread is reused, so that the others can end", () =>
  Effect.gen(function* () {
    const pool = yield* make({ threads: 2 })
    const shared = sharedMemory()
    const both = yield* Effect.forEach(["1", "2"], (name) => pool.start({ does: "hold", name, shared }))
    yield* begun(shared, 2)
    letGo(shared)
    yield* Effect.forEach(both, Fiber.join)
    const ids = yield* Effect.forEach(Array.from({ length: 4 }), () =>
      Effect.map(pool.run({}), ({ threadId }) => threadId)
    )
    expect(new Set(ids).size).toBe(1)
  })
)

it.live("without reuse each task has its own thread, and its slot is free when the thread has ended", () =>
  Effect.gen(function* () {
    const pool = yield* make({ reuse: false, queue: 5 })
    const answers = yield* Effect.all(
      Array.from({ length: 4 }, () => pool.run({})),
      { concurrency: "unbounded" }
    )
    expect(new Set(answers.map(({ threadId }) => threadId)).size).toBe(4)
    yield* until(
      "the last thread is gone",
      Effect.sync(() => pool.alive() === 0)
    )
  })
)

it.live(
  "a slow task ends its thread, and the next task gets a new one",
  () =>
    Effect.gen(function* () {
      // Longer than the start of a thread, which counts, takes on a busy machine.
      const pool = yield* make({ timeout: Duration.seconds(8) })
      const { threadId } = yield* pool.run({})
      const shared = sharedMemory()
      const slow = yield* Effect.forkChild(Effect.flip(pool.run({ does: "spin", shared })), { startImmediately: true })
      const next = yield* pool.start({ name: "next" })
      expect(yield* Fiber.join(slow)).toMatchObject({ reason: "TimedOut", message: "it took more than 8s" })
      expect(pool.alive()).toBe(1)
      const answer = yield* Fiber.join(next)
      expect(answer.name).toBe("next")
      expect(answer.threadId).not.toBe(threadId)
      yield* stands(shared)
    }),
  120_000
)

it.live("a task whose thread dies is retried once; a second death fails it, and others continue", () =>
  Effect.gen(function* () {
    const pool = yield* make()
    expect(yield* pool.run({ does: "throw once", name: "again", shared: sharedMemory() })).toMatchObject({
      name: "again"
    })
    const shared = sharedMemory()
    const [killer, fine] = yield* Effect.all(
      [Effect.flip(pool.run({ does: "throw", name: "killer", shared })), pool.run({ name: "fine" })],
      { concurrency: 2 }
    )
    expect(killer).toMatchObject({ reason: "Broken", message: "thrown by killer" })
    expect(shared[0]).toBe(2)
    expect(fine.name).toBe("fine")
    expect(pool.alive()).toBe(1)
    expect(yield* Effect.flip(pool.run({ does: "exit" }))).toMatchObject({
      reason: "Broken",
      message: "the thread ended early"
    })
    expect(yield* pool.run({ name: "next" })).toMatchObject({ name: "next" })
  })
)

it.live("a thread that exceeds its heap dies, not the process", () =>
  Effect.gen(function* () {
    const pool = yield* make()
    const died = yield* Effect.flip(pool.run({ does: "eat" }))
    expect(died).toMatchObject({ reason: "Broken" })
    expect(died.message).toMatch(/memory/)
    expect(yield* pool.run({ name: "next" })).toMatchObject({ name: "next" })
  })
)

it.live("a thread that cannot start counts as dead", () =>
  Effect.gen(function* () {
    const pool = yield* make({ file: new URL("file:///nowhere/worker.js") })
    expect(yield* Effect.flip(pool.run({}))).toMatchObject({ reason: "Broken" })
    expect(yield* Effect.flip(pool.run({}))).toMatchObject({ reason: "Broken" })
  })
)

it.live("the death of an idle thread fails no task", () =>
  Effect.gen(function* () {
    const pool = yield* make()
    const dead = yield* pool.run({ does: "exit later" })
    const next = Effect.map(pool.run({}), ({ threadId }) => threadId)
    expect(yield* Effect.repeat(next, { until: (threadId) => threadId !== dead.threadId })).not.toBe(dead.threadId)
  })
)

it.live("an interrupted waiting caller leaves the queue; interrupting a running task ends its thread", () =>
  Effect.gen(function* () {
    let given = 0
    const pool = yield* make({ queue: 1, given: () => given++ })
    const shared = sharedMemory()
    const running = yield* pool.start({ does: "spin", shared })
    yield* begun(shared, 1)
    const waiting = yield* pool.start({ shared })
    yield* Fiber.interrupt(waiting)
    const next = yield* pool.start({ name: "next" })
    yield* Fiber.interrupt(running)
    yield* stands(shared)
    expect(yield* Fiber.join(next)).toMatchObject({ name: "next" })
    expect([shared[0], pool.alive()]).toEqual([1, 1])
    // Tasks submitted while the thread is ending wait for a new thread.
    const left = sharedMemory()
    const leaving = yield* pool.start({ does: "spin", shared: left })
    yield* begun(left, 1)
    yield* Fiber.interrupt(leaving)
    expect(yield* pool.run({ name: "last" })).toMatchObject({ name: "last" })
    expect(given).toBe(4)
  })
)

it.live("optionally a thread finishes an interrupted task; a death during it is not retried", () =>
  Effect.gen(function* () {
    const pool = yield* make({ abandoned: "finish" })
    const { threadId } = yield* pool.run({})
    const shared = sharedMemory()
    const running = yield* pool.start({ does: "hold", shared })
    yield* begun(shared, 1)
    yield* Fiber.interrupt(running)
    const next = yield* pool.start({ name: "next" })
    letGo(shared)
    expect(yield* Fiber.join(next)).toMatchObject({ name: "next", threadId })
    const killing = sharedMemory()
    const killer = yield* pool.start({ does: "hold, then die", shared: killing })
    yield* begun(killing, 1)
    yield* Fiber.interrupt(killer)
    letGo(killing)
    expect((yield* pool.run({})).threadId).not.toBe(threadId)
    expect(killing[0]).toBe(1)
  })
)

it.live("a task that cannot be created or copied is a defect of its caller only", () =>
  Effect.gen(function* () {
    const pool = yield* make()
    const { threadId } = yield* pool.run({})
    const unmade = pool.making(() => {
      throw new Error("unmade")
    })
    const uncopied = pool.making(() => ({ name: (() => {}) as never }))
    for (const broken of [unmade, uncopied]) expect(Cause.hasDies(exitCause(yield* Effect.exit(broken)))).toBe(true)
    const shared = sharedMemory()
    const running = yield* pool.start({ does: "hold", shared })
    const waiting = yield* Effect.forEach([unmade, pool.run({ name: "next" })], (asked) =>
      Effect.forkChild(Effect.exit(asked), { startImmediately: true })
    )
    letGo(shared)
    yield* Fiber.join(running)
    const [broken, next] = yield* Effect.forEach(waiting, Fiber.join)
    expect(Cause.hasDies(exitCause(broken!))).toBe(true)
    expect(next).toMatchObject({ value: { name: "next", threadId } })
    expect(pool.alive()).toBe(1)
  })
)

it.live("ends its threads with the scope, and fails waiting callers", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const pool = yield* Scope.provide(make(), scope)
    const shared = sharedMemory()
    const fibers = yield* Effect.forEach([1, 2], () =>
      Effect.forkChild(Effect.flip(pool.run({ does: "spin", shared })), { startImmediately: true })
    )
    yield* begun(shared, 1)
    yield* Scope.close(scope, Exit.void)
    expect(pool.alive()).toBe(0)
    expect((yield* Effect.forEach(fibers, Fiber.join)).map(({ reason }) => reason)).toEqual(["Stopped", "Stopped"])
    expect(yield* Effect.flip(pool.run({}))).toMatchObject({ reason: "Stopped" })
    yield* stands(shared)
  })
)

it.live("reports when a thread has its copy of the task", () =>
  Effect.gen(function* () {
    const task = { name: "secret" }
    const pool = yield* make({ given: (given) => Object.assign(given, { name: "wiped" }) })
    expect(yield* pool.run(task)).toMatchObject({ name: "secret", env: {}, execArgv: [] })
    expect(task.name).toBe("wiped")
    expect(Object.keys((yield* pool.run({})).env)).toEqual([])
  })
)

it("finds the entry file beside the sources and beside the bundle", () => {
  expect(WorkerThreads.entry("argon2Worker", "file:///a/core/password/Passwords.ts").href).toBe(
    "file:///a/core/password/argon2Worker.ts"
  )
  expect(WorkerThreads.entry("argon2Worker", "file:///a/dist/chunk-AB.js").href).toBe("file:///a/dist/argon2-worker.js")
  expect(WorkerThreads.besideTheLoop(1)).toBe(1)
})

const exitCause = (exit: Exit.Exit<unknown, unknown>) => (Exit.isFailure(exit) ? exit.cause : Cause.empty)
