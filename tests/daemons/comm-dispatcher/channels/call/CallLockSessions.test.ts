/** The call lock over a real Postgres, when sessions or the server are lost. */
import { expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer } from "effect"
import * as Database from "#core/sql/Database.ts"
import { client, until } from "#support/Frame.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { apart, endSessions, holding, owner, quiet, sessions } from "./CallOwners.ts"

it.live(
  "the lock of a process that is gone is free, and who held it is told",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const [one, two] = [yield* apart(target), yield* owner(target)]
        const first = yield* holding(one)
        const waiting = yield* Effect.forkChild(holding(two))
        yield* Effect.sleep(200)
        expect(waiting.pollUnsafe()).toBeUndefined()
        // Both lose their sessions. The first one may get the lock again before the other asks, so its sessions are
        // ended until the other has it.
        yield* endSessions(target)
        yield* Effect.repeat(Effect.andThen(endSessions(target, "apart"), Effect.sleep(100)), {
          while: () => waiting.pollUnsafe() === undefined
        })
        yield* until(
          "it is noticed",
          Effect.map(first.lease.note, (note) => note === "the call lock was lost during the call")
        )
        const second = yield* Fiber.join(waiting)
        // At most one process holds the Postgres lock.
        expect(second.lease.kind).toBe("locked")
        // An owner that ends after losing its lock must leave nothing behind.
        yield* first.done
        yield* second.done
        expect((yield* holding(one)).lease.kind).toBe("locked")
      })
    ),
  120_000
)

it.live(
  "the lock is asked for again when its session was lost in a call",
  () =>
    quiet(
      Effect.gen(function* () {
        const { target } = yield* freshDatabase
        const [one, two] = [yield* owner(target), yield* owner(target, { wait: Duration.seconds(20) })]
        const first = yield* holding(one)
        const sql = yield* client(target)
        const holders = sql<{ pid: number }>`select pid from pg_locks where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())`
        const [ended] = yield* holders
        yield* endSessions(target)
        // The ended session keeps its lock until its server process has read the signal.
        yield* until(
          "a new session holds the lock",
          Effect.map(holders, (rows) => rows.length === 1 && rows[0]!.pid !== ended!.pid)
        )
        yield* until(
          "only the new session is left",
          Effect.map(sessions(target), (n) => n === 1)
        )
        const waiting = yield* Effect.forkChild(holding(two))
        yield* Effect.sleep(300)
        expect(waiting.pollUnsafe()).toBeUndefined()
        yield* first.done
        expect((yield* Fiber.join(waiting)).lease.kind).toBe("locked")
      })
    ),
  120_000
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
  120_000
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
  120_000
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
  120_000
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
  120_000
)
