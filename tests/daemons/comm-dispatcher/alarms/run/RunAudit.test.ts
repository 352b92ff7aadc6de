import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { bodyOf, type Dispatcher, startDispatcher } from "../../Dispatcher.ts"

class Started extends Context.Service<Started, Dispatcher>()("test/Started") {
  static readonly layer = Layer.effect(Started, startDispatcher())
}

const manager = { authorization: "Bearer user:7:workflows.manage" }

layer(Started.layer, { excludeTestServices: true })("what is done to runs", (it) => {
  it.effect("stands in the audit log of the caller's tenant, each once", () =>
    Effect.gen(function* () {
      const { sql, suite, url } = yield* Started
      const post = (path: string, body: unknown, headers: Record<string, string> = manager) =>
        suite.call("POST", path, { body, headers })
      const written = (id: string) => sql<{
        tenant_id: number
        actor: string
        action: string
        entity_type: string
        address: string
        detail: unknown
      }>`
        select tenant_id, actor, action, entity_type, address, detail from core.audit where entity_id = ${id} order by id`
      const common = { tenant_id: 7, actor: "user:70", entity_type: "run", address: "127.0.0.1" }

      const started = yield* post("/api/v1/workflows/trigger", bodyOf(`INFO:WEBHOOK+${url}/audited`))
      const alarm = started.json.run_id
      assert.deepStrictEqual(
        [...(yield* written(alarm))],
        [{ ...common, action: "run.started", detail: { event_type: "email.alarm.received", state: "running" } }]
      )

      const notify = {
        channels: [
          { channel: "sms", target: "+4915112345678" },
          { channel: "sms", target: "+4915112345679" }
        ],
        text: "t"
      }
      const keyed = { ...manager, "idempotency-key": "once" }
      const asked = yield* post("/api/v1/comm/notify", notify, keyed)
      assert.strictEqual((yield* post("/api/v1/comm/notify", notify, keyed)).json.run_id, asked.json.run_id)
      assert.deepStrictEqual(
        (yield* written(asked.json.run_id)).map(({ action, detail }) => [action, detail]),
        [["run.started", { event_type: "comm.notify", targets: 2 }]]
      )

      for (const note of ["on my way", "still"]) yield* post(`/api/v1/workflows/runs/${alarm}/acknowledge`, { note })
      const [, acknowledged, ...more] = yield* written(alarm)
      assert.deepInclude(acknowledged, { ...common, action: "run.acknowledged" })
      assert.deepStrictEqual(more, [])
      yield* post(`/api/v1/workflows/runs/${alarm}/acknowledge`, null, {
        authorization: "Bearer user:8:workflows.manage"
      })
      assert.strictEqual((yield* sql`select 1 from core.audit where tenant_id = 8`).length, 0)
    })
  )
})
