import { it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { describe, expect } from "vitest"
import { Authentication } from "#core/auth/Authentication.ts"
import { ProviderOnly, Requires } from "#core/auth/Permissions.ts"
import * as Daemon from "#core/daemon/Daemon.ts"
import * as Feature from "#core/daemon/Feature.ts"
import * as Api from "#core/http/Api.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { freshDatabaseOn, startServer } from "#support/Postgres.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { startSuite } from "#support/TestSuite.ts"

const machinesApi = Api.make("machines").add(
  HttpApiGroup.make("machines")
    .add(
      HttpApiEndpoint.get("machine", "/api/v1/machines", { success: Schema.Struct({ name: Schema.String }) }).annotate(
        Requires,
        "system.read"
      )
    )
    .annotate(ProviderOnly, true)
    .middleware(Authentication)
)
const machines = Daemon.make({
  name: "machines",
  title: "Machines",
  port: 8198,
  features: [
    Feature.make({
      routes: [{ prefix: "/api/v1/machines", authenticated: true }],
      api: machinesApi,
      layer: HttpApiBuilder.layer(machinesApi).pipe(
        Layer.provide(
          Handlers.group(machinesApi, "machines", (handlers) =>
            handlers.handle("machine", () => Effect.succeed({ name: "host" }))
          )
        )
      )
    })
  ]
})

describe("Authentication", () => {
  it.live("an endpoint for the provider refuses users of other tenants, whatever their permissions", () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({ daemons: [machines], verifier: fakeUsers })
      const as = (user: string) =>
        suite.call("GET", "/api/v1/machines", { headers: { authorization: `Bearer user:${user}` } })

      expect((yield* as("1:system.read")).status).toBe(200)
      expect((yield* suite.call("GET", "/api/v1/machines", { token: yield* suite.token })).status).toBe(200)
      for (const permission of ["system.read", "*"]) {
        expect(yield* as(`2:${permission}`)).toMatchObject({
          status: 403,
          json: { detail: expect.stringContaining("provider's tenant") }
        })
      }
      // The permission is still required of the provider's users.
      expect(yield* as("1:users.read")).toMatchObject({ status: 403, json: { permission: "system.read" } })
    })
  )

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
    120_000
  )
})
