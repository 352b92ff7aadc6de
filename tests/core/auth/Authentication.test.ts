import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { freshDatabaseOn, startServer } from "#support/Postgres.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { startSuite } from "#support/TestSuite.ts"

describe("Authentication", () => {
  it.live(
    "an invalid service token is refused with its own text, and 503 while the database is away",
    () =>
      Effect.gen(function* () {
        const server = yield* startServer
        const suite = yield* startSuite({
          daemons: [probeDaemon("probe")],
          database: yield* freshDatabaseOn(server.socketDir)
        })
        const create = (token?: string) =>
          suite.call("POST", "/api/v1/probe/items", {
            ...(token === undefined ? {} : { token }),
            body: { name: "a", count: 1 }
          })
        const token = yield* suite.token

        expect(yield* create()).toMatchObject({
          status: 401,
          json: { detail: expect.stringContaining("Send x-service-token") }
        })
        expect(yield* create("sbx_wrong")).toMatchObject({
          status: 401,
          json: { detail: "The service token is unknown, expired or revoked." }
        })

        process.kill(server.pid, "SIGKILL")
        expect(yield* create(token)).toMatchObject({ status: 503, json: { code: "unavailable" } })
      }),
    20_000
  )
})
