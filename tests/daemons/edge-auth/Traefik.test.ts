/**
 * The Traefik configuration, and requests like those of its ForwardAuth: GET with all client headers except hop-by-hop
 * ones, and its own X-Forwarded-* headers. No Traefik runs here; the requests follow its documentation and source
 * (pkg/middlewares/auth/forward.go).
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { hash } from "node:crypto"
import { request as httpRequest } from "node:http"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { startSuite } from "#support/TestSuite.ts"
import { Place } from "./Browser.ts"

/** The subset of YAML in the file: mappings and lists of text, by indentation. The parser fails on anything else. */
type Yaml = string | ReadonlyArray<Yaml> | { readonly [key: string]: Yaml }

const read = (text: string): Yaml => {
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*(#|$)/.test(line))
    .map((line) => ({ indent: /^ */.exec(line)![0].length, text: line.trim() }))
  let at = 0
  const scalar = (text: string): Yaml => {
    if (text === "{}") return {}
    const quoted = /^"([^"\\]*)"$/.exec(text)?.[1]
    if (quoted === undefined && /[:#{}[\]&*!|>'"%@`]/.test(text)) throw new Error(`not read here: ${text}`)
    return quoted ?? text
  }
  const block = (indent: number): Yaml => {
    if (lines[at]!.text.startsWith("- ")) {
      const list = new Array<Yaml>()
      for (; lines[at]?.indent === indent && lines[at]!.text.startsWith("- "); at++) {
        const item = lines[at]!.text.slice(2)
        const [, key, value] = /^(\w+): (.*)$/.exec(item) ?? []
        list.push(key === undefined ? scalar(item) : { [key]: scalar(value!) })
      }
      return list
    }
    const map: Record<string, Yaml> = {}
    while (lines[at]?.indent === indent) {
      const [, key, value] = /^([\w-]+):(?: (.*))?$/.exec(lines[at]!.text) ?? []
      if (key === undefined || key in map) throw new Error(`not read here: ${lines[at]!.text}`)
      at += 1
      const inner = lines[at]?.indent ?? 0
      map[key] = value !== undefined ? scalar(value) : inner > indent ? block(inner) : ""
    }
    if ((lines[at]?.indent ?? 0) > indent) throw new Error(`indented too far: ${lines[at]!.text}`)
    return map
  }
  return block(0)
}

const file = read(readFileSync(new URL("../../../config/traefik/edge-auth.yml", import.meta.url), "utf8")) as any
const [user, admin] = ["5e".repeat(32), "ad".repeat(32)] as const

const place = Layer.effect(
  Place,
  Effect.gen(function* () {
    const suite = yield* startSuite({ daemons: [edgeAuth], env: { AUTH_COOKIE_DOMAIN: "example.org" } })
    const { sql } = suite
    yield* sql`insert into edge_auth.users (email, password, name, status, role) values ('ann@example.org', '', 'Änn', 'active', 'user'), ('root@example.org', '', 'Root', 'active', 'admin')`
    for (const [token, email] of [
      [user, "ann@example.org"],
      [admin, "root@example.org"]
    ] as const) {
      yield* sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at) select ${hash("sha256", token, "hex")}, id, '', '', now() + interval '1 day' from edge_auth.users where email = ${email}`
    }
    yield* sql`insert into edge_auth.protected_routes (host, path, required_role) values ('app.example.org', '/private', 'user'), ('app.example.org', '/admin', 'admin')`
    return suite
  })
)

interface Client {
  readonly host?: string
  readonly uri: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Traefik's part: transforms a client's request and the answer. */
const traefik = ({ headers = {}, host = "app.example.org", method = "GET", uri }: Client) =>
  Effect.flatMap(Place, (suite) =>
    Effect.promise(
      () =>
        new Promise<{
          status: number
          headers: Record<string, string | ReadonlyArray<string> | undefined>
          backend: Record<string, string> | undefined
        }>((resolve, reject) => {
          const { forwardAuth } = file.http.middlewares["signalbox-edge"]
          const { customRequestHeaders } = file.http.middlewares["signalbox-edge-strip"].headers
          const stripped = new Set(Object.keys(customRequestHeaders).map((name) => name.toLowerCase()))
          const client = Object.fromEntries(
            Object.entries(headers).filter(([name]) => !stripped.has(name.toLowerCase()))
          )
          const hop =
            /^(connection|keep-alive|proxy-.*|te|trailers?|transfer-encoding|upgrade|x-forwarded-.*|x-real-ip)$/i
          const address = new URL(forwardAuth.address)
          const own = new URL(suite.base("edge-auth"))
          const asked = httpRequest(
            {
              host: own.hostname,
              port: own.port,
              path: address.pathname + address.search,
              method: "GET",
              headers: {
                ...Object.fromEntries(Object.entries(client).filter(([name]) => !hop.test(name))),
                host: address.host,
                "X-Forwarded-Method": method,
                "X-Forwarded-Proto": "https",
                "X-Forwarded-Port": "443",
                "X-Forwarded-Host": host,
                "X-Forwarded-Uri": uri,
                "X-Forwarded-For": "203.0.113.7",
                "X-Forwarded-Server": "traefik-1"
              }
            },
            (response) => {
              response.resume()
              const status = response.statusCode!
              const backend = { ...client } as Record<string, string>
              for (const name of forwardAuth.authResponseHeaders as ReadonlyArray<string>) {
                for (const key of Object.keys(backend))
                  if (key.toLowerCase() === name.toLowerCase()) delete backend[key]
                const value = response.headers[name.toLowerCase()]
                if (value !== undefined) backend[name] = String(value)
              }
              response.on("end", () =>
                resolve({
                  status,
                  headers: response.headers,
                  backend: status >= 200 && status < 300 ? backend : undefined
                })
              )
            }
          )
          asked.on("error", reject).end()
        })
    )
  )

describe("the edge asked by Traefik", () => {
  layer(place, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.effect("is configured so that clients cannot forge identity or forwarded headers", () =>
      Effect.sync(() => {
        const {
          "signalbox-edge": { forwardAuth },
          "signalbox-edge-strip": strip
        } = file.http.middlewares
        assert.deepStrictEqual(forwardAuth, {
          address: "http://127.0.0.1:8113/verify",
          trustForwardHeader: "false",
          authResponseHeaders: ["X-Auth-User", "X-Auth-Name", "X-Auth-Name-Encoded", "X-Auth-Role"]
        })
        for (const part of ["User", "Name", "Role"]) {
          for (const name of [`X-Auth-${part}`, `X_Auth_${part}`, `X-Auth_${part}`, `X_Auth-${part}`])
            assert.strictEqual(strip.headers.customRequestHeaders[name], "", name)
        }
        assert.include(file.http.routers["signalbox-edge-login"].rule, "!Path(`/verify`)")
        assert.strictEqual(file.http.routers["signalbox-edge-login"].service, Object.keys(file.http.services)[0])
      })
    )

    it.effect(
      "passes, sends to the login page and refuses",
      () =>
        Effect.gen(function* () {
          const claims = {
            "X-Auth-User": "root@example.org",
            "x-auth-role": "admin",
            X_Auth_User: "root@example.org",
            "X-Auth_Role": "admin",
            "X-Forwarded-Host": "open.example.org",
            "X-Forwarded-Uri": "/"
          }
          const open = yield* traefik({ uri: "/", headers: claims })
          assert.deepStrictEqual(
            [open.status, open.backend!["X-Auth-User"], open.backend!["X-Auth-Role"]],
            [200, "", ""]
          )
          assert.deepStrictEqual(
            Object.entries(open.backend!).filter(([name, value]) => /^x.auth/i.test(name) && value !== ""),
            []
          )

          for (const method of ["GET", "POST", "OPTIONS", "HEAD"]) {
            const sent = yield* traefik({
              uri: "/private/x?y=1&z=%2F",
              method,
              headers: { ...claims, connection: "upgrade", upgrade: "websocket" }
            })
            // An absolute address, because a relative one would be resolved against the edge.
            assert.deepStrictEqual(
              [sent.status, sent.headers["location"]],
              [
                302,
                `https://auth.example.org/login?rd=${encodeURIComponent("https://app.example.org/private/x?y=1&z=%2F")}`
              ]
            )
          }
          const passed = yield* traefik({
            uri: "/private/x",
            headers: { ...claims, cookie: `a=b; __platform_auth=${user}`, "content-length": "0" }
          })
          assert.deepStrictEqual(
            [
              passed.status,
              passed.backend!["X-Auth-User"],
              passed.backend!["X-Auth-Name"],
              passed.backend!["X-Auth-Name-Encoded"],
              passed.backend!["X-Auth-Role"]
            ],
            [200, "ann@example.org", "%C3%84nn", "UTF-8''%C3%84nn", "user"]
          )
          assert.strictEqual(
            (yield* traefik({ uri: "/admin", headers: { cookie: `__platform_auth=${user}` } })).status,
            403
          )
          assert.strictEqual(
            (yield* traefik({ uri: "/admin", headers: { cookie: `__platform_auth=${admin}` } })).status,
            200
          )
          for (const uri of ["//private", "/%70rivate", "/x/../private", "/private%2fx", "/PRIVATE", "/private;x"])
            assert.strictEqual((yield* traefik({ uri })).status, 302, uri)
          for (const host of ["APP.example.org", "app.example.org.", "app.example.org:8443"])
            assert.strictEqual((yield* traefik({ uri: "/private", host })).status, 302, host)
        }),
      120_000
    )
  })
})
