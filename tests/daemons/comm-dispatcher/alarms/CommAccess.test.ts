/** Who may use the comm endpoints, see their runs and acknowledge them. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { runsPath } from "../Dispatcher.ts"
import { good, phone } from "./CommBodies.ts"
import { base, manager, send, Started } from "./CommPlace.ts"

describe("access to the comm endpoints", () => {
  layer(Started.layer, { excludeTestServices: true })((it) => {
    it.effect("let in service tokens and users who may, each to its own runs", () =>
      Effect.gen(function* () {
        const { suite, token } = yield* Started
        const endpoints = [
          ...Object.keys(good).map((path) => ["POST", path, good[path], 202] as const),
          ["GET", "health", undefined, 200] as const,
          ["POST", "heartbeat", undefined, 200] as const
        ]
        for (const [method, path, body, status] of endpoints) {
          const as = (headers: Record<string, string>) =>
            suite.call(method, `${base}/${path}`, { headers, ...(body === undefined ? {} : { body }) })
          const got = (headers: Record<string, string>) =>
            Effect.map(as(headers), (answer) => [answer.status, answer.json.code])
          assert.deepStrictEqual(yield* got({}), [401, "unauthenticated"], path)
          assert.deepStrictEqual(yield* got({ "x-service-token": "sbx_wrong" }), [401, "unauthenticated"], path)
          assert.deepStrictEqual(yield* got({ authorization: "Bearer nobody" }), [401, "unauthenticated"], path)
          const forbidden = yield* as({ authorization: "Bearer user:7:" })
          assert.deepStrictEqual([forbidden.status, forbidden.json.permission], [403, "workflows.manage"], path)
          assert.deepStrictEqual(yield* got(manager(7)), [status, undefined], path)
          assert.deepStrictEqual(
            yield* got({ "x-service-token": token }),
            path === "heartbeat" ? [403, "forbidden"] : [status, undefined],
            path
          )
        }
        const { json } = yield* suite.call("POST", `${base}/messenger`, {
          headers: manager(7),
          body: good["messenger"]
        })
        const see = (tenant: number) =>
          Effect.map(suite.call("GET", json.links.run, { headers: manager(tenant) }), ({ status }) => status)
        assert.deepStrictEqual([yield* see(7), yield* see(8)], [200, 404])
      })
    )

    it.effect("let a run be acknowledged with or without a note, by who may and sees it", () =>
      Effect.gen(function* () {
        const { get, runWhen, suite, token, url } = yield* Started
        const start = Effect.gen(function* () {
          // A webhook to an unreachable host is retried later.
          const { json } = yield* suite.call("POST", `${base}/notify`, {
            headers: manager(7),
            body: {
              text: "t",
              channels: [
                { channel: "sms", target: phone },
                { channel: "webhook", target: `${url}/never`, fallback: [] }
              ]
            }
          })
          return json.links
        })
        const acknowledge = (path: string, headers: Record<string, string>, body?: unknown) =>
          suite.call("POST", path, { headers, ...(body === undefined ? {} : { body }) })
        const links = yield* start
        assert.strictEqual((yield* acknowledge(links.acknowledge, {})).status, 401)
        assert.strictEqual((yield* acknowledge(links.acknowledge, { authorization: "Bearer user:7:" })).status, 403)
        assert.strictEqual((yield* acknowledge(links.acknowledge, manager(8))).status, 404)
        for (const [body, fields] of [
          [{ note: "x".repeat(501) }, ["payload.note"]],
          [{ note: 1 }, ["payload.note"]],
          [[], ["payload"]],
          ['"note"', ["payload"]]
        ] as const) {
          const answer = yield* acknowledge(links.acknowledge, manager(7), body)
          assert.deepStrictEqual(
            [answer.status, answer.json.errors.map((error: { field: string }) => error.field)],
            [422, [...fields]]
          )
        }
        assert.strictEqual(
          (yield* acknowledge(links.acknowledge.replace(/[^/]+\/acknowledge/, "1/acknowledge"), manager(7))).status,
          404
        )
        assert.isNull((yield* get(links.run)).json.acknowledged_at)

        const first = yield* acknowledge(links.acknowledge, manager(7), { note: " on\0 it " })
        assert.strictEqual(first.status, 200, first.text)
        assert.sameMembers(Object.keys(first.json), [
          "run_id",
          "state",
          "acknowledged_at",
          "acknowledged_by",
          "suppressed",
          "links"
        ])
        assert.strictEqual(first.json.acknowledged_by, "user:70: on\uFFFD it")
        assert.strictEqual(first.json.links.run, links.run)
        const second = yield* acknowledge(links.acknowledge, { "x-service-token": token })
        assert.deepInclude(second.json, {
          acknowledged_by: first.json.acknowledged_by,
          acknowledged_at: first.json.acknowledged_at,
          suppressed: 0
        })
        const run = yield* runWhen(first.json.run_id, (run) => run.finished_at !== null)
        assert.deepInclude(run, {
          acknowledged_by: first.json.acknowledged_by,
          acknowledged_at: first.json.acknowledged_at
        })

        for (const body of ["null", "{}"])
          assert.strictEqual(
            (yield* acknowledge((yield* start).acknowledge, manager(7), body)).json.acknowledged_by,
            "user:70"
          )
      })
    )

    it.effect("list runs by the states of an acknowledgement", () =>
      Effect.gen(function* () {
        const { ended, get, sql } = yield* Started
        const { json } = yield* send("messenger", good["messenger"])
        yield* ended(json.run_id)
        for (const state of ["acknowledged", "acknowledgement"]) {
          yield* sql`update comm_dispatcher.run set state = ${state} where id = ${json.run_id}::uuid`
          const { items } = (yield* get(`${runsPath}?state=${state}`)).json
          assert.include(
            items.map((item: { id: string }) => item.id),
            json.run_id
          )
          assert.deepStrictEqual([...new Set(items.map((item: { state: string }) => item.state))], [state])
        }
      })
    )
  })
})
