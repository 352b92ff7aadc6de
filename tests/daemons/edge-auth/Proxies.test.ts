/** The shipped files for nginx and Caddy before a backend that believes everything: what a client claims, spells and sends. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, request as httpRequest, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { hash } from "node:crypto"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { freePort, scratchFolder } from "#support/peers/Loopback.ts"
import { findProgram } from "#support/peers/Peers.ts"
import * as ServerProcess from "#support/peers/ServerProcess.ts"
import { startSuite } from "#support/TestSuite.ts"

const config = (name: string) => readFileSync(new URL(`../../../config/${name}`, import.meta.url), "utf8")

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** What the backend saw; undefined where it was not reached. */
  readonly seen: { readonly url: string; readonly headers: Record<string, string>; readonly body: number } | undefined
}

const ask = (port: number, host: string, path: string, { body, headers = {}, method = "GET" }: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: Buffer } = {}) =>
  Effect.promise(() => new Promise<Reply>((resolve, reject) => {
    const request = httpRequest({ port, host: "127.0.0.1", path, method, headers: { host, ...headers }, agent: false }, (response) => {
      let text = ""
      response.on("data", (chunk: Buffer) => (text += chunk.toString())).on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers, seen: text.startsWith("{\"url\"") ? JSON.parse(text) : undefined }))
    })
    request.on("error", reject).end(body)
  }))

/** Answers what it was sent. */
const backend = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => new Promise<Server>((resolve) => {
      const server = createServer((request, response) => {
        let size = 0
        request.on("data", (chunk: Buffer) => (size += chunk.length)).on("end", () => response.end(JSON.stringify({ url: request.url, headers: request.headers, body: size })))
      })
      server.listen(0, "127.0.0.1", () => resolve(server))
    })),
    (server) => Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  ),
  (server) => (server.address() as AddressInfo).port
)

interface Dialect {
  readonly program: "nginx" | "caddy"
  readonly prepare: (folder: string, program: string, ports: { readonly own: number; readonly edge: number; readonly backend: number }) => ReadonlyArray<string>
}

const nginx: Dialect = {
  program: "nginx",
  prepare: (folder, program, { backend, edge, own }) => {
    const main = join(folder, "nginx.conf")
    writeFileSync(join(folder, "edge-auth.conf"), config("nginx/edge-auth.conf"))
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ")
    writeFileSync(main, `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events {}
http { access_log off; client_max_body_size 20m; ${temporary}
  upstream signalbox_edge { server 127.0.0.1:${edge}; keepalive 64; }
  server { listen 127.0.0.1:${own}; include ${folder}/edge-auth.conf; location / { proxy_pass http://127.0.0.1:${backend}; } }
}\n`)
    execFileSync(program, ["-t", "-q", "-c", main, "-e", `${folder}/log`])
    return ["-c", main, "-e", `${folder}/log`]
  }
}

const caddy: Dialect = {
  program: "caddy",
  prepare: (folder, program, { backend, edge, own }) => {
    const main = join(folder, "Caddyfile")
    mkdirSync(join(folder, "caddy"), { recursive: true })
    writeFileSync(main, `{\n  admin off\n  auto_https off\n}\n${config("caddy/edge-auth.caddyfile").replace("{$SIGNALBOX_EDGE:127.0.0.1:8113}", `127.0.0.1:${edge}`)}
http://:${own} {\n  bind 127.0.0.1\n  import signalbox_edge\n  reverse_proxy 127.0.0.1:${backend}\n}\n`)
    execFileSync(program, ["validate", "--adapter", "caddyfile", "--config", main], { stdio: "pipe", env: { ...process.env, HOME: folder } })
    return ["run", "--adapter", "caddyfile", "--config", main]
  }
}

const session = "5e".repeat(32)

const start = Effect.fnUntraced(function*(dialect: Dialect) {
  const suite = yield* startSuite({ daemons: [edgeAuth], env: { AUTH_COOKIE_DOMAIN: "example.org" } })
  const { sql } = suite
  yield* sql`insert into edge_auth.users (email, password, name, status, role) values ('ann@example.org', '', 'Ann', 'active', 'user')`
  yield* sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at) select ${hash("sha256", session, "hex")}, id, '', '', now() + interval '1 day' from edge_auth.users`
  yield* sql`insert into edge_auth.protected_routes (host, path, required_role) values ('app.example.org', '/private', 'user'), ('app.example.org', '/admin', 'admin'), ('whole.example.org', '/', 'user')`
  const [own, behind, folder] = [yield* freePort, yield* backend, yield* scratchFolder(dialect.program)]
  const program = findProgram(dialect.program)!
  yield* ServerProcess.make({
    peer: dialect.program,
    command: program,
    args: dialect.prepare(folder, program, { own, backend: behind, edge: Number(new URL(suite.base("edge-auth")).port) }),
    cwd: folder,
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    isReady: () => Effect.runPromise(ask(own, "open.example.org", "/")).then(({ status }) => status === 200, () => false),
    log: () => ""
  })
  return (host: string, path: string, options?: Parameters<typeof ask>[3]) => ask(own, host, path, options)
})

const cookie = { cookie: `other=1; __platform_auth=${session}` }
const claims = { "x-auth-user": "root@example.org", "x-auth-name": "Root", "x-auth-role": "admin", "x-forwarded-host": "open.example.org", "x-forwarded-uri": "/", "x-original-url": "http://open.example.org/", "x-auth-mode": "status" }

for (const dialect of [nginx, caddy]) {
  describePeers([dialect.program], `the edge behind ${dialect.program}`, () => {
    it.live("lets through what is open, and whoever may, and nobody by what they claim or how they spell it", () =>
      Effect.gen(function*() {
        const get = yield* start(dialect)
        const open = yield* get("open.example.org", "/x", { headers: claims })
        assert.strictEqual(open.status, 200)
        assert.deepStrictEqual(["x-auth-user", "x-auth-name", "x-auth-role"].map((name) => open.seen!.headers[name] ?? ""), ["", "", ""])

        const sent = yield* get("app.example.org", "/private/x?y=1", { headers: claims })
        assert.deepStrictEqual([sent.status, sent.seen], [302, undefined])
        assert.strictEqual(decodeURIComponent(String(sent.headers["location"])), "https://auth.example.org/login?rd=http://app.example.org/private/x?y=1")

        const passed = yield* get("app.example.org", "/private/x", { headers: { ...claims, ...cookie } })
        assert.deepStrictEqual([passed.status, passed.seen!.headers["x-auth-user"], passed.seen!.headers["x-auth-name"], passed.seen!.headers["x-auth-role"]], [200, "ann@example.org", "Ann", "user"])
        assert.strictEqual((yield* get("app.example.org", "/admin", { headers: cookie })).status, 403)

        for (const path of ["//private", "/%70rivate", "/PRIVATE", "/public/../private", "/public/%2e%2e/private", "/private%2fx", "/private;a=b", "/./private", "/private?x=/public", "/public/..%2fprivate"]) {
          const tried = yield* get("app.example.org", path)
          assert.isTrue(tried.seen === undefined && [302, 400].includes(tried.status), `${path}: ${tried.status}`)
        }
        for (const host of ["APP.example.org", "app.example.org.", "app.example.org:8443"]) assert.strictEqual((yield* get(host, "/private")).status, 302, host)
        assert.strictEqual((yield* get("whole.example.org", "/", { headers: { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "x".repeat(24), "sec-websocket-version": "13" } })).status, 302)

        const upload = yield* get("app.example.org", "/private/upload", { method: "POST", headers: cookie, body: Buffer.alloc(5_000_000, 1) })
        assert.deepStrictEqual([upload.status, upload.seen!.body], [200, 5_000_000])
      }), 60_000)
  })
}
