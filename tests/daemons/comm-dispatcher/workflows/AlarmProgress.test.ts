import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { AlarmProgress } from "#core/contracts/Alarm.ts"
import { type Dispatcher, startDispatcher } from "../Dispatcher.ts"

class Place extends Context.Service<Place, Dispatcher>()("test/Place") {
  // A minute of the dispatcher takes 100 ms.
  static readonly layer = Layer.effect(Place, startDispatcher({ minute: 100 }))
}

describe("an alarm's progress", () => {
  layer(Place.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "is told with each attempt, as it begins and as it ends, to the alarm's tenant",
      () =>
        Effect.gen(function* () {
          const place = yield* Place
          place.sink.next({ status: 500 })
          const run = yield* place.alarm(`ALERT:WEBHOOK+${place.url}/progress;RETRY:2x1m`)
          assert.deepStrictEqual(
            run.targets[0].attempts.map(({ number, state }: any) => [number, state]),
            [
              [1, "failed"],
              [2, "delivered"]
            ]
          )
          for (const attempt of run.targets[0].attempts)
            assert.isTrue(attempt.started_at <= attempt.finished_at && attempt.detail !== null)
          const told = (id: string) =>
            Effect.map(
              place.sql<{
                data: unknown
                tenant_id: number
              }>`select data, tenant_id from core.event where type = 'alarm.progress' and data->>'run_id' = ${id} order by id`,
              (events) =>
                events.map(({ data, tenant_id }) => ({
                  tenant_id,
                  ...Schema.decodeUnknownSync(AlarmProgress.data)(data)
                }))
            )
          const common = { tenant_id: 1, run_id: run.id, position: 0 }
          // The start of a webhook's first attempt is not announced, because it ends at once.
          assert.deepStrictEqual(yield* told(run.id), [
            { ...common, target_state: "pending", attempt: 1, attempt_state: "failed" },
            { ...common, target_state: "attempting", attempt: 2, attempt_state: "attempting" },
            { ...common, target_state: "delivered", attempt: 2, attempt_state: "delivered" }
          ])
          const message = yield* place.alarm("ALERT:MESSENGER+77")
          assert.deepStrictEqual(yield* told(message.id), [
            { ...common, run_id: message.id, target_state: "attempting", attempt: 1, attempt_state: "attempting" },
            { ...common, run_id: message.id, target_state: "delivered", attempt: 1, attempt_state: "delivered" }
          ])
        }),
      120_000
    )
  })
})
