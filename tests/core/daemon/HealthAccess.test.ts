import { request as httpRequest } from "node:http"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "@effect/vitest"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { fakeUsers } from "#support/FakeUsers.ts"
import { until } from "#support/Frame.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { type CallOptions, startSuite } from "#support/TestSuite.ts"

/** Request that a proxy on this machine forwarded for a stranger. */
const stranger = { "x-forwarded-for": "198.51.100.7" }

const fleet = [probeDaemon("one"), probeDaemon("two"), probeDaemon("apart", { ownPort: true })]

/** The answer without the verdicts, which depend on the load of the machine. */
const shape = (json: unknown): string => JSON.stringify(json).replace(/"(ok|degraded)"/g, "0")
const verdictsOf = (...daemons: ReadonlyArray<string>): string =>
  shape({ status: "ok", daemons: Object.fromEntries(daemons.map((name) => [name, { status: "ok" }])) })

/** `/health` with a Host header of its own, which `fetch` does not allow. */
const asHost = (base: string, host: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve, reject) => {
        const { hostname, port } = new URL(base)
        httpRequest({ hostname, port, path: "/health", headers: { host }, agent: false }, (response) => {
          let text = ""
          response.on("data", (chunk: Buffer) => (text += chunk.toString()))
          response.on("end", () => resolve(text))
        })
          .once("error", reject)
          .end()
      })
  )

describe("details of health", () => {
  it.live("are for listed addresses and for callers of the provider with system.read", () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({ daemons: fleet, gateway: true, verifier: fakeUsers })
      const health = (of: string, headers: CallOptions["headers"], path = "/health") =>
        suite.call("GET", path, { of, ...(headers === undefined ? {} : { headers }) })
      const scoped = (scopes: ReadonlyArray<ServiceTokenStore.Scope>) =>
        ServiceTokenStore.create({ name: scopes.join(), scopes }).pipe(
          Effect.map(({ token }) => Redacted.value(token)),
          Effect.provideService(SqlClient.SqlClient, suite.sql)
        )

      assert.strictEqual(shape((yield* health("gateway", stranger)).json), verdictsOf("one", "two", "apart"))
      for (const [of, path] of [
        ["gateway", "/health/apart"],
        ["apart", "/health"]
      ] as const)
        assert.strictEqual(shape((yield* health(of, stranger, path)).json), verdictsOf("apart"))
      for (const of of ["gateway", "apart"]) {
        const metrics = yield* health(of, stranger, "/metrics")
        assert.deepStrictEqual([metrics.status, metrics.json.code], [401, "unauthenticated"])
        assert.match((yield* health(of, {}, "/metrics")).text, /^# TYPE /m)
      }

      // Any sign of a proxy counts, also from one that is not trusted, and a host name that a proxy kept.
      const apart = suite.base("apart")
      for (const name of ["forwarded", "x-real-ip", "x-forwarded-proto", "via", "x-original-url"])
        assert.notProperty((yield* health("apart", { [name]: "x" })).json, "components", name)
      assert.include(yield* asHost(apart, "127.0.0.1:8112"), "components")
      assert.include(yield* asHost(apart, "[::1]"), "components")
      for (const host of ["status.example.org", "localhost.evil.example"])
        assert.notInclude(yield* asHost(apart, host), "components", host)

      const may = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>>) {
        const answer = yield* health("apart", { ...stranger, ...headers })
        return answer.status === 401 ? "refused" : "components" in answer.json
      })
      /** A daemon whose database does not answer in time cannot check credentials, and shows the verdict only. */
      const becomes = (seen: boolean | "refused", headers: Readonly<Record<string, string>>) =>
        until(
          `${JSON.stringify(headers)} leads to ${seen}`,
          Effect.map(may(headers), (now) => now === seen)
        )
      const [platform, monitor, pusher] = [
        yield* suite.token,
        yield* scoped(["system.read"]),
        yield* scoped(["switch"])
      ]
      const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
      yield* becomes(true, { "x-service-token": platform })
      yield* becomes(true, { "x-service-token": monitor })
      yield* becomes(true, bearer(monitor))
      assert.isFalse(yield* may({ "x-service-token": pusher }))
      yield* becomes("refused", { "x-service-token": "guess" })
      yield* becomes(true, bearer("user:1:system.read"))
      assert.isFalse(yield* may(bearer("user:1:sip.read")))
      assert.isFalse(yield* may(bearer("user:2:system.read")))
      yield* becomes("refused", bearer("expired.token.of-a-user"))
    }).pipe(Effect.scoped)
  )

  it.live("follow SIGNALBOX_HEALTH_ADDRESSES, which a forwarding header cannot claim", () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({
        daemons: [probeDaemon("one")],
        env: { SIGNALBOX_HEALTH_ADDRESSES: "10.1.2.0/24", SIGNALBOX_TRUSTED_PROXIES: "192.0.2.1/32" }
      })
      assert.strictEqual(shape((yield* suite.call("GET", "/health")).json), verdictsOf("one"))
      // The proxy is not trusted, so the header does not name the client.
      assert.notProperty(
        (yield* suite.call("GET", "/health", { headers: { "x-forwarded-for": "10.1.2.3" } })).json,
        "components"
      )
    }).pipe(Effect.scoped)
  )
})
