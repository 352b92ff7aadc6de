/**
 * Wakes loops when there is work. One connection per process listens on our channel, whose payload is a topic
 * (`event`), and on the job engine's channel, whose payload is a queue. A wake-up is only a hint: the table is
 * authoritative, every waiter also polls, and all waiters are woken after a lost connection.
 *
 * The same connection holds the lock of this process's incarnation (Incarnation.ts), because both mean that the process
 * is alive and connected to the database.
 *
 * The library pg-listen 1.7.0 opens a connection of its own, so the incarnation's lock would need another one. It has
 * 330 lines, this file 150.
 */
import { PgConnection } from "@effect/sql-pg"
import { Context, Duration, Effect, Latch, Layer, Queue, type Scope } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { Database, sessionParameters } from "../sql/Database.ts"
import { engineChannel, topicOf } from "../jobs/JobContract.ts"
import { toSqlPg } from "../postgres/ConnectionTarget.ts"
import { Actor, type ActorSpec } from "../supervision/Supervisor.ts"

/** Channel of NOTIFY whose payload is a topic. */
export const channel = "signalbox"

/** Interval of liveness checks of the listening connection. Unit: seconds. */
const probeInterval = 10

/** Subscription of one waiter to a topic. */
export interface Wakeup {
  /** Returns true when the topic was announced since the last wait, false after `atMost`. */
  readonly wait: (atMost: Duration.Duration) => Effect.Effect<boolean>
  /** Wakes this waiter only. */
  readonly ring: Effect.Effect<void>
}

/** Minimum wait for a common poll. Unit: milliseconds. Reason: a timer may end a little early; it would poll twice. */
const leastPollWait = 100

/**
 * Time until the next common moment of polls of this process. Polls that wait for it come together, so their statements
 * can be one (Batcher.ts). It skips a moment that is nearer than `leastPollWait`. `seconds`: interval.
 */
export const untilPoll = (seconds: number): Duration.Duration => {
  const interval = seconds * 1_000
  const rest = interval - (performance.now() % interval)
  return Duration.millis(rest < leastPollWait ? rest + interval : rest)
}

/** A waiter. `rung` tells an announcement from a latch that a time-out has overtaken. */
interface Waiter {
  readonly latch: Latch.Latch
  rung: boolean
}

const ringOne = (waiter: Waiter): void => {
  waiter.rung = true
  Latch.openUnsafe(waiter.latch)
}

export class Wake extends Context.Service<
  Wake,
  {
    readonly subscribe: (topic: string) => Effect.Effect<Wakeup, never, Scope.Scope>
    /** Announces a topic when the surrounding transaction commits; a rollback announces nothing. */
    readonly announce: (topic: string) => Effect.Effect<void, SqlError.SqlError>
    /** The announcement as a statement that a caller can append to its own. */
    readonly announcement: (topic: string) => Statement.Statement<unknown>
    /** The listening loop, to be supervised; one per process. `onConnect` runs first on the listening session. */
    readonly actor: (
      onConnect: (session: PgConnection.PgConnection) => Effect.Effect<void, SqlError.SqlError>
    ) => ActorSpec<never>
  }
>()("signalbox/core/Wake") {}

export const layer: Layer.Layer<Wake, never, Database | SqlClient.SqlClient> = Layer.effect(
  Wake,
  Effect.gen(function* () {
    const database = yield* Database
    const sql = yield* SqlClient.SqlClient
    const waiters = new Map<string, Set<Waiter>>()
    const ring = (some: Iterable<Waiter> | undefined) => {
      for (const waiter of some ?? []) ringOne(waiter)
    }

    const subscribe = (topic: string) =>
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => {
            const waiter: Waiter = { latch: Latch.makeUnsafe(false), rung: false }
            const others = waiters.get(topic) ?? new Set()
            waiters.set(topic, others.add(waiter))
            return waiter
          }),
          (waiter) =>
            Effect.sync(() => {
              const others = waiters.get(topic)
              others?.delete(waiter)
              // Requests have a topic each.
              if (others?.size === 0) waiters.delete(topic)
            })
        ),
        (waiter): Wakeup => ({
          wait: (atMost) =>
            Effect.map(Effect.timeoutOption(waiter.latch.await, atMost), () => {
              const { rung } = waiter
              waiter.rung = false
              Latch.closeUnsafe(waiter.latch)
              return rung
            }),
          ring: Effect.sync(() => ringOne(waiter))
        })
      )

    const announcement = (topic: string) => sql`select pg_notify(${channel}, ${topic})`

    const listen = Effect.fnUntraced(function* (
      onConnect: (session: PgConnection.PgConnection) => Effect.Effect<void, SqlError.SqlError>
    ) {
      const actor = yield* Actor
      const connection = yield* PgConnection.make({
        ...toSqlPg(database.target),
        applicationName: `${database.applicationName} listener`,
        connectTimeout: Duration.seconds(5),
        startupParameters: sessionParameters(database)
      })
      const session = yield* connection.pin
      yield* onConnect(session)
      const notifications = yield* session.listen(channel)
      const queues = yield* session.listen(engineChannel)
      for (const some of waiters.values()) ring(some)
      // Ends with the connection; the loop below detects that.
      yield* Effect.forkScoped(
        Effect.ignore(
          Effect.forever(
            Effect.map(Queue.takeAll(queues), (batch) => {
              for (const { payload } of batch) ring(waiters.get(topicOf(payload)))
            })
          )
        )
      )
      while (true) {
        yield* actor.progress
        const batch = yield* Queue.takeAll(notifications).pipe(Effect.timeoutOption(Duration.seconds(probeInterval)))
        if (batch._tag === "None") yield* session.query("select 1")
        else for (const { payload } of batch.value) ring(waiters.get(payload))
      }
    }, Effect.scoped)

    return Wake.of({
      subscribe,
      announce: (topic) => Effect.asVoid(announcement(topic)),
      announcement,
      actor: (onConnect) => ({ name: "listener", run: listen(onConnect) })
    })
  })
)
