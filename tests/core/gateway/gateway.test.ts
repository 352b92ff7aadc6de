import { connect } from "node:net"
import { BanAdded, BanLifted } from "#core/contracts/Security.ts"
import { gateway } from "#core/gateway/make.ts"
import { type ActorSpec, idle } from "#core/supervision/Supervisor.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { startSuite, type TestSuite } from "#support/TestSuite.ts"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Duration, Effect, Exit, Latch, Schema } from "effect"

/** Polls until `check` is true. Fails with the last value. */
const eventually = <A>(ask: Effect.Effect<A>, check: (value: A) => boolean) =>
  Effect.gen(function* () {
    const until = performance.now() + 10_000
    while (true) {
      const value = yield* ask
      if (check(value)) return value
      if (performance.now() > until) return assert.fail(`not within 10 s; last seen: ${JSON.stringify(value)}`)
      yield* Effect.sleep(20)
    }
  })

/** Request headers of a different client; the loopback peer is a trusted proxy. */
const from = (client: string) => ({ headers: { "x-forwarded-for": client } })

/** Writes a ban event into the outbox, with encoded data. */
const emit = <S extends Schema.Codec<any, any>>(suite: TestSuite, event: { type: string; data: S }, data: S["Type"]) =>
  Effect.flatMap(Effect.orDie(Schema.encodeEffect(event.data)(data) as Effect.Effect<unknown, unknown>), (encoded) =>
    emitRaw(suite, event.type, encoded)
  )
const emitRaw = (suite: TestSuite, type: string, data: unknown) =>
  Effect.andThen(
    suite.sql`insert into core.event (type, source, data) values (${type}, 'test', ${suite.sql.json(data)})`,
    suite.sql`select pg_notify('signalbox', 'event')`
  )

const raw = (base: string, text: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) => {
        const { hostname, port } = new URL(base)
        const socket = connect(Number(port), hostname)
        let answer = ""
        socket.on("data", (chunk) => (answer += chunk.toString()))
        socket.on("error", () => {})
        socket.on("close", () => resolve(answer))
        socket.write(text)
      })
  )

describe("gateway", () => {
  it.live("mounts the daemons on one port and answers for all of them", () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({
        daemons: [probeDaemon("one"), probeDaemon("two"), probeDaemon("apart", { ownPort: true })],
        gateway: true
      })
      const token = yield* suite.token
      assert.deepStrictEqual([...suite.suite.addresses.keys()], ["gateway", "apart"])
      for (const name of ["one", "two"]) {
        const hello = yield* suite.call("GET", `/api/v1/${name}/open/hello`)
        assert.deepStrictEqual(hello.json, { daemon: name })
        assert.include(hello.headers.get("content-security-policy"), "default-src 'none'")
        assert.strictEqual(hello.headers.get("x-content-type-options"), "nosniff")
        assert.isNull(hello.headers.get("strict-transport-security"))
      }
      assert.strictEqual(
        (yield* suite.call("POST", "/api/v1/one/items", { token, body: { name: "a", count: 1 } })).status,
        200
      )
      const secure = yield* suite.call("GET", "/one/fast", {
        headers: { "x-forwarded-proto": "https", "x-auth-user": "root" }
      })
      assert.isNotNull(secure.headers.get("strict-transport-security"))
      assert.notProperty(secure.json.headers, "x-auth-user")

      const refused = yield* suite.call("POST", "/api/v1/one/items", { body: { name: "a", count: 1 } })
      assert.deepStrictEqual([refused.status, refused.json.code], [401, "unauthenticated"])
      assert.isNotNull(refused.headers.get("x-content-type-options"))
      const unknown = yield* suite.call("GET", "/api/v1/apart/open/hello")
      assert.deepStrictEqual([unknown.status, unknown.json.code], [404, "not_found"])
      const wrong = yield* suite.call("POST", "/health")
      assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "GET, HEAD"])

      // On a busy machine the event loop is late at first, and health says `degraded` as long as it is.
      const health = yield* eventually(suite.call("GET", "/health"), ({ json }) => json.status === "ok")
      assert.deepStrictEqual(health.json, {
        status: "ok",
        daemons: Object.fromEntries(
          ["one", "two", "apart"].map((name) => [name, { status: "ok", href: `/health/${name}` }])
        )
      })
      assert.strictEqual((yield* suite.call("GET", "/health/two")).json.daemon, "two")
      assert.strictEqual((yield* suite.call("GET", "/health/none")).status, 404)
      assert.deepStrictEqual((yield* suite.call("GET", "/ready")).json, { ready: true })
      assert.match(
        (yield* suite.call("GET", "/metrics")).text,
        // Counters belong to the process, which runs other files before this one.
        /^signalbox_gateway_refusals_total\{[^}]*status="401"[^}]*\} [1-9]\d*$/m
      )

      const document = (yield* suite.call("GET", "/openapi.json")).json
      assert.match(document.openapi, /^3\.1/)
      assert.deepStrictEqual(
        Object.keys(document.paths).sort(),
        ["one", "two"].flatMap((name) =>
          ["items", "open/breaks", "open/hello"].map((path) => `/api/v1/${name}/${path}`)
        )
      )
      assert.includeMembers(
        document.tags.map((tag: { name: string }) => tag.name),
        ["one items", "two items"]
      )
      for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
        assert.property(document.components.schemas, reference!)
      }
      const docs = yield* suite.call("GET", "/docs")
      assert.include(docs.text, "/api/v1/one/open/hello")
      assert.include(docs.headers.get("content-security-policy"), "script-src 'unsafe-inline'")
      const front = yield* suite.call("GET", "/")
      assert.include(front.headers.get("content-type"), "text/html")
      assert.include(front.text, "Probe &#60;one&#62;")
      assert.notInclude(front.text, "Probe <one>")
    }).pipe(Effect.scoped)
  )

  it.live("limits each client separately", () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({
        daemons: [probeDaemon("one")],
        gateway: true,
        env: { SIGNALBOX_GATEWAY_RATE: "1", SIGNALBOX_GATEWAY_BURST: "3" }
      })
      const ask = (client: string) => suite.call("GET", "/api/v1/one/open/hello", from(client))
      const begun = performance.now()
      let admitted = 0
      let limited = yield* ask("198.51.100.1")
      for (; limited.status === 200; admitted++) limited = yield* ask("198.51.100.1")
      // The burst, and one more for each second: on a busy machine the requests take that long.
      assert.isAtLeast(admitted, 3)
      assert.isAtMost(admitted, 3 + (performance.now() - begun) / 1_000)
      assert.deepStrictEqual(
        [limited.status, limited.json.code, limited.headers.get("retry-after")],
        [429, "too_many_requests", "1"]
      )
      assert.strictEqual((yield* ask("198.51.100.2")).status, 200)
      assert.strictEqual((yield* eventually(ask("198.51.100.1"), (answer) => answer.status === 200)).status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("takes upgrades through the chain to the daemon", () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({
        daemons: [probeDaemon("one")],
        gateway: true,
        env: { SIGNALBOX_GATEWAY_RATE: "1", SIGNALBOX_GATEWAY_BURST: "3" }
      })
      const upgrade = (path: string, more = "", client = "198.51.100.1") =>
        raw(
          suite.base(),
          `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-Forwarded-For: ${client}\r\n${more}\r\n`
        )
      assert.match(yield* upgrade("/one/socket"), /^HTTP\/1\.1 101 [^]*hello$/)
      assert.match(yield* upgrade("/api/v1/one/socket"), /^HTTP\/1\.1 401 Unauthorized\r\n[^]*problem\+json/)
      assert.match(yield* upgrade("/api/v1/one/socket", "X-Service-Token: t\r\n"), /^HTTP\/1\.1 101 /)
      // One more may pass for each second that the upgrades have taken.
      const limited = yield* eventually(upgrade("/one/socket"), (answer) => !answer.startsWith("HTTP/1.1 101 "))
      assert.match(limited, /^HTTP\/1\.1 429 Too Many Requests\r\n[^]*retry-after: 1/)
      assert.match(yield* upgrade("/none", "", "198.51.100.2"), /^HTTP\/1\.1 404 /)
      assert.match(yield* upgrade("/health", "", "198.51.100.2"), /^HTTP\/1\.1 404 /)
    }).pipe(Effect.scoped)
  )

  it.live("refuses clients banned by events, also after a restart", () =>
    Effect.gen(function* () {
      const first = yield* startSuite({
        daemons: [probeDaemon("one")],
        gateway: true,
        env: { SIGNALBOX_TRUSTED_PROXIES: "127.0.0.0/8,192.0.2.0/28" }
      })
      const ask = (client: string, suite = first) => suite.call("GET", "/api/v1/one/open/hello", from(client))
      const soon = new Date(Date.now() + 3_600_000)
      yield* emitRaw(first, BanAdded.type, { nonsense: true })
      yield* emitRaw(first, "security.ban.unheard-of", {})
      yield* emit(first, BanAdded, { address: "127.0.0.1", rule: "mail-brute-force", until: soon })
      yield* emit(first, BanAdded, { address: "192.0.0.0/16", rule: "sip-scanner", until: soon })
      yield* emit(first, BanAdded, {
        address: "203.0.113.99/24",
        rule: "sip-scanner",
        until: soon,
        reason: "scanned us"
      })
      yield* emit(first, BanAdded, { address: "198.51.100.9", rule: "past", until: new Date(Date.now() - 1_000) })
      yield* emit(first, BanAdded, { address: "198.51.100.1", rule: "sip-brute-force", until: soon })

      const banned = yield* eventually(ask("198.51.100.1"), (answer) => answer.status === 403)
      assert.strictEqual(banned.json.code, "banned")
      assert.strictEqual(banned.headers.get("content-type"), "application/problem+json")
      assert.strictEqual((yield* ask("203.0.113.200")).status, 403)
      const upgrade = yield* raw(
        first.base(),
        "GET /one/socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-Forwarded-For: 203.0.113.200\r\n\r\n"
      )
      assert.match(upgrade, /^HTTP\/1\.1 403 /)
      // An expired ban, and bans that would lock out the operator or a proxy and were refused.
      assert.strictEqual((yield* ask("198.51.100.9")).status, 200)
      assert.strictEqual((yield* ask("192.0.3.1")).status, 200)
      assert.strictEqual((yield* first.call("GET", "/health")).status, 200)
      const rows = yield* first.sql<{ address: string }>`select address::text from gateway.ban order by address`
      assert.deepStrictEqual(
        rows.map((row) => row.address),
        ["198.51.100.1/32", "198.51.100.9/32", "203.0.113.0/24"]
      )

      // A second gateway on the same database reads the bans from the table.
      const second = yield* startSuite({ daemons: [probeDaemon("one")], gateway: true, database: first.database })
      assert.strictEqual((yield* ask("198.51.100.1", second)).status, 403)
      // Lifts a ban for all gateways. Reading an older event again must not restore the ban.
      yield* emit(first, BanLifted, { address: "198.51.100.1" })
      yield* eventually(ask("198.51.100.1"), (answer) => answer.status === 200)
      yield* eventually(ask("198.51.100.1", second), (answer) => answer.status === 200)
      yield* first.sql`delete from core.event where type = ${BanLifted.type}`
      yield* first.sql`update core.event_cursor set xid = '0', id = 0 where consumer = 'gateway.bans'`
      yield* emit(first, BanAdded, { address: "198.51.100.2", rule: "sip-brute-force", until: soon })
      yield* eventually(ask("198.51.100.2"), (answer) => answer.status === 403)
      assert.strictEqual((yield* ask("198.51.100.1")).status, 200)
      assert.strictEqual((yield* ask("203.0.113.200", second)).status, 403)
    }).pipe(Effect.scoped)
  )

  it.live("answers 503 while one daemon is rebuilt, and serves it afterwards", () =>
    Effect.gen(function* () {
      let breaks = false
      const gate = Latch.makeUnsafe(false)
      const fragile: ActorSpec = {
        name: "fragile",
        intensity: { restarts: 0, window: Duration.minutes(1) },
        run: Effect.gen(function* () {
          while (!breaks) yield* Effect.sleep(10)
          breaks = false
          return yield* Effect.die(new Error("broke"))
        })
      }
      // Holds the daemon between stop and restart until the test has checked.
      const slow: ActorSpec = {
        name: "slow",
        run: Effect.andThen(
          Effect.addFinalizer(() => gate.await),
          idle
        )
      }
      const suite = yield* startSuite({
        daemons: [probeDaemon("one"), probeDaemon("two", { actors: [fragile, slow] })],
        gateway: true
      })
      const hello = (name: string) => suite.call("GET", `/api/v1/${name}/open/hello`)
      assert.strictEqual((yield* hello("two")).status, 200)
      breaks = true
      const away = yield* eventually(hello("two"), (answer) => answer.status !== 200)
      assert.deepStrictEqual([away.status, away.json.code, away.headers.get("retry-after")], [503, "unavailable", "1"])
      assert.strictEqual((yield* hello("one")).status, 200)
      assert.deepInclude((yield* suite.call("GET", "/health")).json, { status: "down" })
      assert.strictEqual((yield* suite.call("GET", "/health/two")).status, 503)
      assert.strictEqual((yield* suite.call("GET", "/ready")).status, 503)
      yield* gate.open
      yield* eventually(hello("two"), (answer) => answer.status === 200)
      assert.strictEqual((yield* suite.call("GET", "/ready")).status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("guards a daemon with an address of its own, also without the gateway", () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({
        daemons: [probeDaemon("apart", { ownPort: true })],
        env: { SIGNALBOX_GATEWAY_RATE: "1", SIGNALBOX_GATEWAY_BURST: "5" }
      })
      const hello = (client: string) => suite.call("GET", "/api/v1/apart/open/hello", from(client))
      const first = yield* hello("198.51.100.1")
      assert.deepStrictEqual([first.status, first.headers.get("x-content-type-options")], [200, "nosniff"])
      const many = yield* Effect.forEach(Array.from({ length: 10 }), () => hello("198.51.100.1"))
      const limited = many.find(({ status }) => status === 429)!
      assert.strictEqual(limited.json.code, "too_many_requests")
      assert.isNotNull(limited.headers.get("retry-after"))
      assert.strictEqual((yield* hello("198.51.100.2")).status, 200)
      yield* emit(suite, BanAdded, {
        address: "198.51.100.3/32",
        rule: "sip-brute-force",
        until: new Date(Date.now() + 60_000)
      } as never)
      const banned = yield* eventually(hello("198.51.100.3"), ({ status }) => status === 403)
      assert.strictEqual(banned.json.code, "banned")
    }).pipe(Effect.scoped)
  )

  it.live("does not start with conflicting daemons", () =>
    Effect.gen(function* () {
      const twin = probeDaemon("two", { routes: [{ prefix: "/api/v1/two" }, { prefix: "/api/v1/one" }] })
      const exit = yield* Effect.exit(
        gateway.start({
          fleet: [probeDaemon("one"), twin],
          running: () => undefined,
          trusted: () => false,
          // The conflict is found before these are used.
          entrance: undefined as never
        }) as Effect.Effect<unknown>
      )
      assert.isTrue(Exit.isFailure(exit) && Cause.pretty(exit.cause).includes("one and two both declare /api/v1/one"))
    })
  )
})
