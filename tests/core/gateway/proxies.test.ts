import { mkdirSync, writeFileSync } from "node:fs"
import { createServer, request as httpRequest, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { banFiles } from "#core/bans/BanFiles.ts"
import * as NetworkFiles from "#core/bans/NetworkFiles.ts"
import { caddy } from "#core/gateway/Caddy.ts"
import { nginx } from "#core/gateway/Nginx.ts"
import type { ProxyOptions } from "#core/gateway/ProxyConfig.ts"
import { rows, type TableRow } from "#core/gateway/RouteTable.ts"
import { traefik } from "#core/gateway/Traefik.ts"
import { maxBodySize } from "#core/http/BodyBounds.ts"
import { freePort, scratchFolder } from "#support/peers/Loopback.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { findProgram } from "#support/peers/Peers.ts"
import * as ServerProcess from "#support/peers/ServerProcess.ts"
import { probeDaemon } from "#support/ProbeDaemon.ts"
import { caddyArguments, nginxArguments } from "#support/ProxyArguments.ts"
import { startSuite } from "#support/TestSuite.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** Sends a request that `fetch` does not allow: any Host, hop-by-hop headers, an upgrade. */
const ask = (
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; localAddress?: string } = {}
) =>
  Effect.promise(
    () =>
      new Promise<Reply>((resolve, reject) => {
        const request = httpRequest({
          port,
          host: "127.0.0.1",
          path,
          method: options.method ?? "GET",
          headers: options.headers ?? {},
          ...(options.localAddress === undefined ? {} : { localAddress: options.localAddress }),
          agent: false
        })
        request.once("response", (response) => {
          let text = ""
          response.on("data", (chunk: Buffer) => (text += chunk.toString()))
          response.once("close", () => resolve({ status: response.statusCode!, headers: response.headers, text }))
        })
        request.once("upgrade", (response, socket, head) => {
          let text = head.toString()
          socket.on("data", (chunk: Buffer) => (text += chunk.toString()))
          socket.once("close", () => resolve({ status: 101, headers: response.headers, text }))
        })
        request.once("error", reject)
        request.end(options.body)
      })
  )

interface Dialect {
  readonly program: "nginx" | "caddy"
  /** Writes the configuration, checks it with the program, and returns the program's arguments. */
  readonly prepare: (folder: string, program: string, printed: string) => Effect.Effect<ReadonlyArray<string>>
  readonly print: (table: ReadonlyArray<TableRow>, options: ProxyOptions) => string
  readonly env?: (folder: string) => Record<string, string>
}

const withNginx: Dialect = {
  program: "nginx",
  print: nginx,
  prepare: (folder, program, printed) => {
    const main = join(folder, "nginx.conf")
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`
    )
    writeFileSync(
      main,
      `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events {}\nhttp { access_log off; ${temporary.join(" ")}\n${printed}}\n`
    )
    return nginxArguments(program, main, folder)
  }
}

const withCaddy: Dialect = {
  program: "caddy",
  print: caddy,
  env: (folder) => ({ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }),
  prepare: (folder, program, printed) => {
    const main = join(folder, "Caddyfile")
    mkdirSync(join(folder, "caddy"), { recursive: true })
    writeFileSync(main, `{\n  admin off\n  auto_https off\n}\n${printed}`)
    return caddyArguments(program, main, folder)
  }
}

const fleet = [probeDaemon("one"), probeDaemon("two"), probeDaemon("apart", { ownPort: true })]

/** Starts the daemons in the split layout, and the proxy in front of them with the printed configuration. */
const start = Effect.fnUntraced(function* (
  dialect: Dialect,
  options: ProxyOptions = {},
  instead: Record<string, number> = {},
  unlimited: ReadonlyArray<string> = []
) {
  const suite = yield* startSuite({ daemons: fleet })
  const port = yield* freePort
  const folder = yield* scratchFolder(dialect.program)
  const program = findProgram(dialect.program)!
  const portOf = (name: string) => instead[name] ?? suite.suite.addresses.get(name)!.port
  const table = rows(fleet, ({ name }) => portOf(name)).map((row) =>
    unlimited.includes(row.prefix) ? { ...row, rateLimited: false } : row
  )
  const args = yield* dialect.prepare(folder, program, dialect.print(table, { ...options, port }))
  yield* ServerProcess.make({
    peer: dialect.program,
    command: program,
    args,
    cwd: folder,
    env: dialect.env?.(folder) ?? {},
    isReady: () =>
      Effect.runPromise(ask(port, "/ready?")).then(
        () => true,
        () => false
      ),
    log: () => ""
  })
  return { suite, port }
})

/** A backend that removes no headers. Shows which headers the proxy alone forwards. */
const mirror = Effect.map(
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Server>((resolve) => {
          const server = createServer((request, response) => {
            response.setHeader("content-security-policy", "default-src 'self'")
            response.end(JSON.stringify({ url: request.url, headers: request.headers }))
          })
          server.listen(0, "127.0.0.1", () => resolve(server))
        })
    ),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  ),
  (server) => (server.address() as AddressInfo).port
)

const claims = {
  "X-Auth-User": "root@example.org",
  "X-Auth-Role": "admin",
  "Remote-User": "root",
  "X-Forwarded-For": "6.6.6.6",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Host": "evil.example",
  Forwarded: "for=6.6.6.6",
  "X-Real-IP": "6.6.6.6"
}

const upgrade = { Connection: "Upgrade", Upgrade: "echo" }

for (const dialect of [withNginx, withCaddy]) {
  describePeers([dialect.program], `the route table as ${dialect.program} understands it`, () => {
    it.live(
      "routes, replaces forged headers, upgrades and refuses like the gateway",
      () =>
        Effect.gen(function* () {
          const gatewayPort = yield* freePort
          const { port, suite } = yield* start(dialect, { gatewayPort }, { two: yield* mirror })
          const token = yield* suite.token

          const hello = yield* ask(port, "/api/v1/one/open/hello")
          assert.deepStrictEqual([hello.status, hello.text], [200, `{"daemon":"one"}`])
          // The mail server and the switch of this machine use the gateway's address in both layouts.
          for (const host of [`127.0.0.1:${gatewayPort}`, `localhost:${gatewayPort}`]) {
            const local = yield* ask(gatewayPort, "/api/v1/one/open/hello", { headers: { host } })
            assert.deepStrictEqual([local.status, local.text], [200, hello.text])
          }
          assert.strictEqual(hello.headers["x-content-type-options"], "nosniff")
          assert.include(hello.headers["content-security-policy"], "default-src 'none'")
          assert.isUndefined(hello.headers["strict-transport-security"])
          assert.strictEqual(
            JSON.parse((yield* ask(port, "/one/fast?q=1", { headers: claims })).text).client,
            "127.0.0.1"
          )

          const mirrored = yield* ask(port, "/two/x?q=1", { headers: { Host: "box.example.org", ...claims } })
          const seen = JSON.parse(mirrored.text)
          assert.strictEqual(seen.url, "/two/x?q=1")
          assert.strictEqual(seen.headers["x-forwarded-for"], "127.0.0.1")
          assert.strictEqual(seen.headers["x-forwarded-proto"], "http")
          assert.match(seen.headers["x-forwarded-host"], /^box\.example\.org/)
          assert.strictEqual(seen.headers.host, "box.example.org")
          for (const name of ["x-auth-user", "x-auth-role", "remote-user", "forwarded", "x-real-ip"])
            assert.notProperty(seen.headers, name)
          // The backend's own policy is kept.
          assert.strictEqual(mirrored.headers["content-security-policy"], "default-src 'self'")

          const create = (headers: Record<string, string>, body = JSON.stringify({ name: "a", count: 1 })) =>
            ask(port, "/api/v1/one/items", {
              method: "POST",
              headers: { "content-type": "application/json", ...headers },
              body
            })
          assert.strictEqual((yield* create({})).status, 401)
          const created = yield* create({ "x-service-token": token })
          assert.strictEqual(created.status, 200, created.text)
          const long = yield* create(
            { "x-service-token": token, "content-length": String(maxBodySize + 1) },
            "x".repeat(maxBodySize + 1)
          )
          assert.strictEqual(long.status, 413)
          for (const path of ["/", "/nowhere", "/api/v1/oneness", "/apart/fast"])
            assert.strictEqual((yield* ask(port, path)).status, 404, path)

          const upgraded = yield* ask(port, "/one/socket", { headers: upgrade })
          assert.deepStrictEqual([upgraded.status, upgraded.text], [101, "hello"])
          const apart = yield* ask(port, "/apart/fast", { headers: { Host: "apart.example.org" } })
          assert.strictEqual(apart.status, 200)
          for (const path of ["/health", "/metrics", "/health/apart", "//metrics"])
            assert.strictEqual((yield* ask(port, path, { headers: { Host: "apart.example.org" } })).status, 404, path)
        }).pipe(Effect.scoped),
      120_000
    )
  })
}

for (const dialect of [withNginx, withCaddy]) {
  describePeers([dialect.program], `the ban list as ${dialect.program} reads it`, () => {
    it.live(
      "refuses addresses and ranges of the file at every site, and nobody else",
      () =>
        Effect.gen(function* () {
          const networkDir = yield* scratchFolder("bans")
          const until = Date.now() + 3_600_000
          const bans = ["127.0.0.66/32", "127.0.9.0/24", "2001:db8::/64"].map((address) => ({ address, until }))
          yield* NetworkFiles.write(networkDir, banFiles(bans, Date.now()))
          const { port } = yield* start(dialect, { networkDir })
          const from = (localAddress: string, host = "any.example") =>
            Effect.map(ask(port, "/one/fast", { localAddress, headers: { host } }), ({ status }) => status)
          assert.deepStrictEqual(
            [yield* from("127.0.0.66"), yield* from("127.0.9.200"), yield* from("127.0.0.66", "apart.example.org")],
            [403, 403, 403]
          )
          assert.deepStrictEqual([yield* from("127.0.0.1"), yield* from("127.0.8.200")], [200, 200])
          if (dialect.program === "nginx") {
            const refused = yield* ask(port, "/one/fast", { localAddress: "127.0.0.66" })
            assert.deepStrictEqual(
              [JSON.parse(refused.text).code, refused.headers["content-type"]],
              ["banned", "application/problem+json"]
            )
          }
        }).pipe(Effect.scoped),
      120_000
    )

    it.live(
      "refuses nobody while there is no ban",
      () =>
        Effect.gen(function* () {
          const networkDir = yield* scratchFolder("bans")
          // Caddy needs no file; nginx needs one.
          for (const files of [...(dialect.program === "caddy" ? [[]] : []), banFiles([], Date.now())]) {
            yield* NetworkFiles.write(networkDir, files)
            const { port } = yield* start(dialect, { networkDir })
            assert.strictEqual((yield* ask(port, "/one/fast")).status, 200)
          }
        }).pipe(Effect.scoped),
      120_000
    )
  })
}

describePeers(["nginx"], "nginx alone", () => {
  it.live(
    "limits the rate, with the same problem body as the daemons, except on routes without a limit",
    () =>
      Effect.gen(function* () {
        const { port } = yield* start(withNginx, { rate: 1, burst: 2 }, {}, ["/two"])
        const unlimited = yield* Effect.all(
          Array.from({ length: 8 }, () => ask(port, "/two/fast")),
          { concurrency: 8 }
        )
        assert.deepStrictEqual(
          unlimited.map(({ status }) => status),
          Array.from({ length: 8 }, () => 200)
        )
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => ask(port, "/one/fast")),
          { concurrency: 8 }
        )
        const limited = answers.filter((answer) => answer.status === 429)
        assert.isAtLeast(limited.length, 4)
        assert.strictEqual(JSON.parse(limited[0]!.text).code, "too_many_requests")
        assert.strictEqual(limited[0]!.headers["content-type"], "application/problem+json")
      }).pipe(Effect.scoped),
    120_000
  )
})

describePeers(["nginx"], "nginx before a daemon that is away", () => {
  it.live(
    "answers with Retry-After",
    () =>
      Effect.gen(function* () {
        const nobody = yield* freePort
        const { port } = yield* start(withNginx, {}, { one: nobody })
        const away = yield* ask(port, "/one/fast")
        assert.deepStrictEqual([away.status, JSON.parse(away.text).code], [503, "unavailable"])
      }).pipe(Effect.scoped),
    120_000
  )
})

describe("the route table as Traefik understands it", () => {
  it("has a router for each prefix, in the table's order, and a service for each daemon", () => {
    const table = rows(fleet).map((row) => (row.prefix === "/two" ? { ...row, rateLimited: false } : row))
    const text = traefik(table, { rate: 7, gatewayPort: 8080 })
    assert.include(text, `entryPoints.signalbox.address = "127.0.0.1:8080"`)
    const { http } = JSON.parse(text.replace(/^#.*$/gm, ""))
    assert.sameMembers(Object.keys(http.services), ["one", "two", "apart"])
    for (const router of Object.values<any>(http.routers)) {
      assert.property(http.services, router.service)
      for (const name of router.middlewares) assert.property(http.middlewares, name)
    }
    const answering = (path: string) =>
      Object.values<any>(http.routers)
        .filter((router) => new RegExp(/^PathRegexp\(`(.*)`\)$/.exec(router.rule)?.[1] ?? "^$").test(path))
        .sort((a, b) => b.priority - a.priority)[0]
    assert.deepStrictEqual(answering("/two/fast").middlewares, ["signalbox-headers"])
    assert.include(answering("/one/fast").middlewares, "signalbox-rate")
    assert.strictEqual(answering("/api/v1/two/open/hello").priority, 1000 + "/api/v1/two/open".length)
    assert.strictEqual(answering("/api/v1/one/items").service, "one")
    assert.isUndefined(answering("/api/v1/oneness"))
    assert.strictEqual(http.middlewares["signalbox-rate"].rateLimit.average, 7)
    assert.strictEqual(http.middlewares["signalbox-headers"].headers.customRequestHeaders["X-Auth-User"], "")
    assert.strictEqual(http.services.one.loadBalancer.servers[0].url, "http://127.0.0.1:8199")
  })
})
