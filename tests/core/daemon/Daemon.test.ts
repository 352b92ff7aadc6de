import { expect, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { portVariable } from "#core/daemon/KnownDaemons.ts"
import { daemons } from "#daemons/Suite.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { startSuite } from "#support/TestSuite.ts"

it.live("an invalid request gets all its invalid fields in one answer", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startSuite({ daemons: [probeDaemon("probe")] })
      const token = yield* suite.token
      const create = (body: unknown) => suite.call("POST", "/api/v1/probe/items", { token, body })
      const fields = (answer: { readonly json: any }) =>
        answer.json.errors.map((error: { field: string }) => error.field).toSorted()
      const both = yield* create({ name: 1, count: "many" })
      expect([both.status, fields(both)]).toEqual([422, ["payload.count", "payload.name"]])
      const missing = yield* create({})
      expect([missing.status, fields(missing)]).toEqual([422, ["payload.count", "payload.name"]])
      expect((yield* create({ name: "n", count: 1 })).status).toBe(200)
    })
  )
)

it("every daemon reports all invalid fields", () => {
  for (const daemon of daemons) {
    expect([
      daemon.name,
      Context.getOrUndefined((daemon.api as HttpApi.Top).annotations, HttpApi.ParseOptions)
    ]).toEqual([daemon.name, { errors: "all" }])
  }
})

it("the variable of a daemon's port is made of its name", () => {
  expect(portVariable("comm-dispatcher")).toBe("SIGNALBOX_COMM_DISPATCHER_PORT")
})
