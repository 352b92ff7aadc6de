import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "#core/events/Events.ts"
import { finishRun } from "#daemons/comm-dispatcher/alarms/run/FinishRun.ts"
import { startDispatcher } from "../../Dispatcher.ts"

it.live(
  "two targets that end at the same moment end their run exactly once, with one event",
  () =>
    Effect.gen(function* () {
      const { ended, sql, trigger, url } = yield* startDispatcher()
      const { json } = yield* trigger(`INFO:WEBHOOK+${url}/a;WEBHOOK+${url}/b`)
      yield* ended(json.run_id)
      const id: string = json.run_id
      const told: Array<unknown> = []
      const events = {
        emitAll: (_type: unknown, _source: string, items: ReadonlyArray<unknown>) =>
          Effect.sync(() => void told.push(...items))
      } as unknown as Events["Service"]
      for (let round = 0; round < 50; round++) {
        yield* sql`update comm_dispatcher.run set state = 'running', finished_at = null where id = ${id}::uuid`
        yield* sql`update comm_dispatcher.target set state = 'attempting' where run_id = ${id}::uuid`
        const written = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        // Both transactions write their end and still see the other as open before either finishes the run.
        const end = (position: number) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`update comm_dispatcher.target set state = 'delivered' where run_id = ${id}::uuid and position = ${position}`
              yield* Deferred.succeed(written[position]!, undefined)
              yield* Deferred.await(written[1 - position]!)
              return yield* finishRun(id).pipe(
                Effect.provideService(SqlClient.SqlClient, sql),
                Effect.provideService(PgClient.PgClient, sql),
                Effect.provideService(Events, events)
              )
            })
          )
        const finished = yield* Effect.all([end(0), end(1)], { concurrency: 2 })
        const data = { run_id: id, state: "delivered" as const, severity: "INFO", targets: 2, delivered: 2 }
        assert.deepStrictEqual(
          finished.filter((one) => one !== undefined),
          [data]
        )
        assert.deepStrictEqual(told.splice(0), [{ data, audience: { tenantId: 1 } }])
      }
    }).pipe(Effect.scoped),
  120_000
)
