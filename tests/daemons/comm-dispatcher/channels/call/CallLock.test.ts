/** The call lock over a real Postgres. Each owner simulates a process with its own session and actor. */
import { expect, it } from "@effect/vitest"
import { Context, Deferred, Duration, Effect, Exit, Fiber, Layer, References, Scope } from "effect"
import * as Database from "#core/sql/Database.ts"
import type { ConnectionTarget } from "#core/postgres/ConnectionTarget.ts"
import { layerLocal, Supervisor } from "#core/supervision/Supervisor.ts"
import * as CallLock from "#daemons/comm-dispatcher/channels/call/CallLock.ts"
import { client, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import type { Turn } from "#daemons/comm-dispatcher/channels/call/CallTurns.ts"
import type { Severity } from "#daemons/comm-dispatcher/vocabulary/Target.ts"

const owner = (
  target: ConnectionTarget,
  options: CallLock.CallLockOptions = {},
  database: Layer.Layer<Database.Database, any> = Database.layerTarget(target, { applicationName: "owner" })
) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      CallLock.layer({ wait: Duration.seconds(30), ...options }).pipe(
        Layer.provide(database),
        Layer.provideMerge(layerLocal("test"))
      )
    )
    const lock = Context.get(context, CallLock.CallLock)
    yield* Context.get(context, Supervisor).startRegistered
    return lock
  })

const turn = (severity: Severity = "CRITICAL", dueAt = Date.now(), gateway = "trunk"): Turn => ({
  gateway,
  severity,
  dueAt,
  kind: "request",
  tenantId: 1
})

/** Takes a turn and holds it until `done`. */
const holding = Effect.fnUntraced(function* (lock: CallLock.CallLock["Service"], asked = turn()) {
  const scope = yield* Scope.make()
  const lease = yield* Scope.provide(lock.take(asked), scope)
  return { lease, done: Scope.close(scope, Exit.void) }
})

const quiet = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(Effect.scoped(effect), References.MinimumLogLevel, "None")
const sessions = (target: ConnectionTarget) =>
  Effect.flatMap(client(target), (sql) =>
    Effect.map(
      sql<{
        n: number
      }>`select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'owner calls'`,
      (rows) => rows[0]!.n
    )
  )
const endSessions = (target: ConnectionTarget, name = "owner") =>
  Effect.flatMap(
    client(target),
    (sql) =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = ${`${name} calls`}`
  )
/** An owner whose sessions can be ended separately from the others'. */
const apart = (target: ConnectionTarget, options: CallLock.CallLockOptions = {}) =>
  owner(target, options, Database.layerTarget(target, { applicationName: "apart" }))

it.live(
  "two processes never call at once, and each gets its turn",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const [one, two] = [yield* owner(target), yield* owner(target)]
        let active = 0
        let most = 0
        const kinds: Array<string> = []
        const call = (lock: CallLock.CallLock["Service"]) =>
          Effect.scoped(
            Effect.gen(function* () {
              const lease = yield* lock.take(turn())
              kinds.push(lease.kind)
              most = Math.max(most, ++active)
              yield* Effect.sleep(20)
              active--
              expect(yield* lease.note).toBeUndefined()
            })
          )
        yield* Effect.all(
          Array.from({ length: 12 }, (_, index) => call(index % 2 === 0 ? one : two)),
          { concurrency: "unbounded" }
        )
        expect(kinds).toEqual(Array(12).fill("locked"))
        expect(most).toBe(1)
      })
    ),
  30_000
)

it.live(
  "who waits in one process goes by severity, then by when it was due; over one session",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const lock = yield* owner(target)
        const first = yield* holding(lock)
        const now = Date.now()
        const order: Array<string> = []
        const waiting = [
          ["INFO", 0],
          ["WARNING", 2],
          ["ALERT", 9],
          ["WARNING", 1],
          ["CRITICAL", 5]
        ] as const
        const calls = yield* Effect.forEach(waiting, ([severity, late]) =>
          Effect.forkChild(
            Effect.scoped(
              Effect.andThen(
                lock.take(turn(severity, now + late)),
                Effect.sync(() => order.push(`${severity} ${late}`))
              )
            )
          )
        )
        yield* Effect.sleep(50)
        expect(yield* sessions(target)).toBe(1)
        yield* first.done
        yield* Effect.forEach(calls, Fiber.join)
        expect(order).toEqual(["ALERT 9", "CRITICAL 5", "WARNING 1", "WARNING 2", "INFO 0"])
      })
    ),
  30_000
)

it.live(
  "at the end of its wait, counted from when it was due, a call goes anyway and says so",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const wait = Duration.millis(1_500)
        const [one, two] = [yield* owner(target, { wait }), yield* owner(target, { wait })]
        yield* holding(one)
        const begun = Date.now()
        const fresh = yield* Effect.forkChild(holding(two))
        const old = yield* holding(two, turn("INFO", begun - 60_000))
        expect(old.lease.kind).toBe("anyway")
        expect(fresh.pollUnsafe()).toBeUndefined()
        const late = yield* Fiber.join(fresh)
        expect(Date.now() - begun).toBeGreaterThanOrEqual(1_450)
        expect(late.lease.kind).toBe("anyway")
        expect(yield* late.lease.note).toBe("without the call lock, after a wait of 2 s")
      })
    ),
  30_000
)

it.live(
  "a call whose wait is over still takes the lock when it is free",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const { lease } = yield* holding(yield* owner(target), turn("INFO", Date.now() - 3_600_000))
        expect(lease.kind).toBe("locked")
      })
    ),
  30_000
)

it.live(
  "calls that go anyway are bounded for each gateway, in all processes together",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const options = { wait: Duration.millis(100), perGateway: 2 }
        const [one, two, three] = [
          yield* owner(target, options),
          yield* owner(target, options),
          yield* owner(target, options)
        ]
        yield* holding(one)
        const second = yield* holding(two)
        expect((yield* holding(two)).lease.kind).toBe("anyway")
        const over = [yield* Effect.forkChild(holding(three)), yield* Effect.forkChild(holding(two))]
        const elsewhere = yield* holding(three, turn("INFO", Date.now(), "other"))
        expect(elsewhere.lease.kind).toBe("anyway")
        yield* Effect.sleep(1_200)
        expect(over.map((fiber) => fiber.pollUnsafe())).toEqual([undefined, undefined])
        yield* second.done
        yield* until(
          "one of them goes",
          Effect.sync(() => over.some((fiber) => fiber.pollUnsafe() !== undefined))
        )
        yield* Effect.sleep(700)
        expect(over.filter((fiber) => fiber.pollUnsafe() !== undefined).length).toBe(1)
        yield* Effect.forEach(over, Fiber.interrupt)
      })
    ),
  30_000
)

it.live(
  "the lock of a process that is gone is free, and who held it is told",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const [one, two] = [yield* owner(target), yield* owner(target)]
        const first = yield* holding(one)
        const waiting = yield* Effect.forkChild(holding(two))
        yield* Effect.sleep(200)
        expect(waiting.pollUnsafe()).toBeUndefined()
        yield* endSessions(target)
        yield* until(
          "the other has it",
          Effect.sync(() => waiting.pollUnsafe() !== undefined),
          15
        )
        yield* until(
          "it is noticed",
          Effect.map(first.lease.note, (note) => note === "the call lock was lost during the call"),
          15
        )
        const second = yield* Fiber.join(waiting)
        // At most one process holds the Postgres lock. Of these two it is the one that asked last.
        expect(second.lease.kind).toBe("locked")
        // An owner that ends after losing its lock must leave nothing behind.
        yield* first.done
        yield* second.done
        expect((yield* holding(one)).lease.kind).toBe("locked")
      })
    ),
  60_000
)

it.live(
  "the lock is asked for again when its session was lost in a call",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const [one, two] = [yield* owner(target), yield* owner(target, { wait: Duration.seconds(20) })]
        const first = yield* holding(one)
        yield* endSessions(target)
        yield* until(
          "a new session",
          Effect.map(sessions(target), (n) => n === 1),
          15
        )
        yield* until(
          "it holds the lock",
          Effect.flatMap(client(target), (sql) =>
            Effect.map(
              sql`select 1 from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`,
              (rows) => rows.length === 1
            )
          ),
          15
        )
        const waiting = yield* Effect.forkChild(holding(two))
        yield* Effect.sleep(300)
        expect(waiting.pollUnsafe()).toBeUndefined()
        yield* first.done
        expect((yield* Fiber.join(waiting)).lease.kind).toBe("locked")
      })
    ),
  60_000
)

it.live(
  "right before a call the session itself is asked: kept, lost to another and had again, or lost for good",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const [one, two] = [yield* apart(target), yield* owner(target)]
        const first = yield* holding(one)
        expect(yield* first.lease.confirm).toBe("kept")
        const waiting = yield* Effect.forkChild(holding(two))
        yield* until(
          "the other waits",
          Effect.map(sessions(target), (n) => n === 1)
        )
        yield* Effect.repeat(Effect.andThen(endSessions(target, "apart"), Effect.sleep(100)), {
          while: () => waiting.pollUnsafe() === undefined
        })
        const confirming = yield* Effect.forkChild(first.lease.confirm)
        yield* Effect.sleep(700)
        expect(confirming.pollUnsafe()).toBeUndefined()
        yield* (yield* Fiber.join(waiting)).done
        expect(yield* Fiber.join(confirming)).toBe("regained")
        expect(yield* first.lease.confirm).toBe("kept")
        expect(yield* first.lease.note).toBeUndefined()
        yield* first.done

        const held = yield* holding(two)
        const late = yield* owner(target, { wait: Duration.millis(500) })
        const anyway = yield* holding(late)
        expect([anyway.lease.kind, yield* anyway.lease.confirm]).toEqual(["anyway", "kept"])
        yield* held.done
        yield* anyway.done
      })
    ),
  60_000
)

it.live(
  "a lock that is not had again is waited for as long as a call waits at all",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const [one, two] = [yield* apart(target, { wait: Duration.seconds(3) }), yield* owner(target)]
        const first = yield* holding(one)
        const waiting = yield* Effect.forkChild(holding(two))
        yield* until(
          "the other waits",
          Effect.map(sessions(target), (n) => n === 1)
        )
        yield* Effect.repeat(Effect.andThen(endSessions(target, "apart"), Effect.sleep(100)), {
          while: () => waiting.pollUnsafe() === undefined
        })
        expect(yield* first.lease.confirm).toBe("lost")
        expect(yield* first.lease.note).toBe("the call lock was lost during the call")
      })
    ),
  60_000
)

it.live(
  "the session is opened by the first call and closed when idle",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const lock = yield* owner(target, { idle: Duration.millis(100) })
        expect(yield* sessions(target)).toBe(0)
        const held = yield* holding(lock)
        expect(yield* sessions(target)).toBe(1)
        yield* held.done
        yield* until(
          "it is closed",
          Effect.map(sessions(target), (n) => n === 0)
        )
        expect((yield* holding(lock)).lease.kind).toBe("locked")
      })
    ),
  30_000
)

it.live(
  "who gives up waiting, or is interrupted, holds nobody up",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const lock = yield* owner(target)
        const first = yield* holding(lock)
        const asked = yield* Deferred.make<void>()
        const waiting = yield* Effect.forkChild(
          Effect.scoped(Effect.andThen(Deferred.succeed(asked, undefined), lock.take(turn("ALERT"))))
        )
        yield* Deferred.await(asked)
        yield* Effect.sleep(50)
        yield* Fiber.interrupt(waiting)
        yield* first.done
        expect((yield* holding(lock)).lease.kind).toBe("locked")
      })
    ),
  30_000
)

it.live(
  "while Postgres is away calls go at the end of their wait, as many as there are slots",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const away = Layer.effect(
          Database.Database,
          Effect.map(Database.Database, (real) => ({ ...real, target: { ...target, host: "/nowhere" } }))
        ).pipe(Layer.provide(Database.layerTarget(target, { applicationName: "owner" })))
        const lock = yield* owner(
          target,
          { wait: Duration.millis(100), perGateway: 1, connectPatience: Duration.millis(200) },
          away
        )
        const first = yield* holding(lock)
        expect(first.lease.kind).toBe("anyway")
        expect(yield* first.lease.note).toBe("without the call lock, after a wait of 0 s (the database is away)")
        const second = yield* Effect.forkChild(holding(lock))
        yield* Effect.sleep(1_000)
        expect(second.pollUnsafe()).toBeUndefined()
        yield* first.done
        expect((yield* Fiber.join(second)).lease.kind).toBe("anyway")
      })
    ),
  30_000
)
