/**
 * Wakes loops when there is work. One connection a process listens on our channel, whose payload is a topic (`event`),
 * and on the job engine's, whose payload is a queue. A wake-up is a hint: the table is the truth, every waiter also
 * looks by itself after a bound, and after a lost connection everybody is woken.
 *
 * The same connection holds this process's incarnation lock (Incarnation), because both mean "this process is alive and
 * in touch with the database".
 */
import { PgConnection } from "@effect/sql-pg"
import { Context, Duration, Effect, Latch, Layer, Queue, type Scope } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { Database, sessionParameters } from "../sql/Database.ts"
import { engineChannel, topicOf } from "../jobs/JobContract.ts"
import { toSqlPg } from "../postgres/ConnectionTarget.ts"
import { Actor, type ActorSpec } from "../supervision/Supervisor.ts"

const channel = "signalbox"

/** How often the listening connection is asked whether it is still there. Unit: seconds. */
const probeInterval = 10

/** Somebody's wait for one topic. */
export interface Wakeup {
  /** Returns when the topic was announced since the last wait, or after `atMost`. */
  readonly wait: (atMost: Duration.Duration) => Effect.Effect<void>
  /** Rings this waiter only. */
  readonly ring: Effect.Effect<void>
}

export class Wake extends Context.Service<
  Wake,
  {
    readonly subscribe: (topic: string) => Effect.Effect<Wakeup, never, Scope.Scope>
    /** Announces a topic with the surrounding transaction: nothing rings when it is rolled back. */
    readonly announce: (topic: string) => Effect.Effect<void, SqlError.SqlError>
    /** The same as a statement, to end a caller's own with. */
    readonly announcement: (topic: string) => Statement.Statement<unknown>
    /** The listening loop, to be supervised once a process. `onConnect` runs on the listening session first. */
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
    const waiters = new Map<string, Set<Latch.Latch>>()
    const ring = (latches: Iterable<Latch.Latch> | undefined) => {
      for (const latch of latches ?? []) Latch.openUnsafe(latch)
    }

    const subscribe = (topic: string) =>
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => {
            const latch = Latch.makeUnsafe(false)
            const others = waiters.get(topic) ?? new Set()
            waiters.set(topic, others.add(latch))
            return latch
          }),
          (latch) => Effect.sync(() => waiters.get(topic)?.delete(latch))
        ),
        (latch): Wakeup => ({
          wait: (atMost) =>
            latch.await.pipe(Effect.timeoutOption(atMost), Effect.andThen(Effect.sync(() => Latch.closeUnsafe(latch)))),
          ring: Effect.sync(() => Latch.openUnsafe(latch))
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
      for (const latches of waiters.values()) ring(latches)
      // Ends with the connection, which the loop below notices.
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
