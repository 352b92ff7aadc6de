/** `signalbox edge …` beside a running edge-auth: an operator's changes take effect at once and are audited. */
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect } from "vitest"
import { edgeAuth } from "#daemons/edge-auth/Daemon.ts"
import { commandLine } from "#support/CommandLine.ts"
import { ensureBuilt, environmentOf } from "#support/Executable.ts"
import { until } from "#support/Frame.ts"
import { temporaryDirectory } from "#support/Postgres.ts"
import { startSuite } from "#support/TestSuite.ts"

const run = commandLine()

beforeAll(ensureBuilt, 60_000)

const token = "5e".repeat(32)

it.live(
  "admits, blocks, protects and tells what is open",
  () =>
    Effect.gen(function* () {
      const suite = yield* startSuite({ daemons: [edgeAuth], env: { AUTH_COOKIE_DOMAIN: "example.org" } })
      const { sql } = suite
      yield* sql`insert into edge_auth.users (email, password, name, status, role, totp_secret, totp_since)
      values ('root@example.org', '', 'Root', 'active', 'admin', null, null), ('ann@example.org', '', 'Ann', 'pending', 'user', 'sbx1', now())`
      yield* sql`insert into edge_auth.sessions (token, user_id, ip, user_agent, expires_at) select ${hash("sha256", token, "hex")}, id, '203.0.113.1', '', now() + interval '1 day' from edge_auth.users where email = 'ann@example.org'`
      const dataDir = yield* temporaryDirectory()
      const edge = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
        Effect.promise(() =>
          run(["edge", ...args], {
            ...environmentOf(dataDir),
            DATABASE_URL: suite.database.url,
            AUTH_COOKIE_DOMAIN: "example.org",
            ...env
          })
        )
      const verify = (host: string) =>
        Effect.map(
          suite.call("GET", "/verify", {
            headers: { "x-forwarded-host": host, "x-forwarded-uri": "/", cookie: `__platform_auth=${token}` }
          }),
          ({ status }) => status
        )
      const within = (host: string, status: number) =>
        until(
          `${host} answers ${status}`,
          Effect.map(verify(host), (found) => found === status)
        )

      const added = yield* edge(["routes", "add", "APP.example.org", "/", "--json"])
      expect([added.code, JSON.parse(added.stdout)], added.stderr).toMatchObject([
        0,
        { host: "app.example.org", path: "/", required_role: "user", enabled: true }
      ])
      expect(yield* edge(["routes", "add", "app.example.org", "//"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("exists already")
      })
      expect(yield* edge(["routes", "add", "no host"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("Name a host")
      })
      yield* within("app.example.org", 302)
      const waiting = yield* edge(["users", "list", "--status", "pending", "--json"])
      expect(JSON.parse(waiting.stdout).map(({ email }: any) => email)).toEqual(["ann@example.org"])
      expect((yield* edge(["users", "approve", "Ann@example.org"])).stdout).toMatch(
        /ann@example\.org +Ann +active +user +on/
      )
      yield* within("app.example.org", 200)
      expect((yield* edge(["users", "reset-factor", "ann@example.org"])).stdout).toMatch(
        /ann@example\.org +Ann +active +user +off/
      )
      expect(yield* edge(["users", "reset-factor", "ann@example.org"])).toMatchObject({ code: 1, stdout: "" })
      expect((yield* edge(["users", "role", "ann@example.org", "admin"])).code).toBe(0)
      expect((yield* edge(["users", "role", "ann@example.org", "user"])).code).toBe(0)
      expect(yield* edge(["users", "block", "root@example.org"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("last administrator")
      })
      const [session] = JSON.parse((yield* edge(["sessions", "list", "--user", "ann@example.org", "--json"])).stdout)
      expect((yield* edge(["sessions", "end", String(session.id)])).code).toBe(0)
      yield* within("app.example.org", 302)
      expect(yield* edge(["sessions", "end", String(session.id)])).toMatchObject({ code: 1 })
      expect((yield* edge(["users", "end-sessions", "ann@example.org"])).stdout).toBe("0 sessions ended.\n")
      expect((yield* edge(["users", "block", "ann@example.org"])).code).toBe(0)
      expect(yield* edge(["users", "block", "nobody@example.org"])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("no user nobody@example.org")
      })

      const config = join(dataDir, "edge.conf")
      writeFileSync(
        config,
        "http { server { server_name app.example.org; auth_request /v; } server { server_name open.example.org; } }\n"
      )
      const open = yield* edge(["coverage"], { SIGNALBOX_EDGE_PROXY_CONFIG: config })
      expect([open.code, open.stdout]).toEqual([
        1,
        expect.stringMatching(
          /^app\.example\.org +protected[^]*^open\.example\.org +OPEN: the proxy's file has no check/m
        )
      ])
      writeFileSync(config, "http { server { server_name app.example.org; auth_request /v; } }\n")
      expect((yield* edge(["coverage", "--json"], { SIGNALBOX_EDGE_PROXY_CONFIG: config })).code).toBe(0)

      const id = String(JSON.parse(added.stdout).id)
      expect((yield* edge(["routes", "disable", id])).code).toBe(0)
      yield* within("app.example.org", 200)
      expect((yield* edge(["routes", "enable", id])).code).toBe(0)
      yield* within("app.example.org", 302)
      expect((yield* edge(["routes", "remove", id])).code).toBe(0)
      yield* within("app.example.org", 200)
      expect(yield* edge(["routes", "enable", id])).toMatchObject({ code: 1 })
      expect((yield* edge(["routes", "list", "--json"])).stdout.trim()).toBe("[]")

      const audit = yield* sql<{ action: string }>`select action from core.audit where actor = 'operator' order by id`
      expect(audit.map(({ action }) => action.replace("edge_", ""))).toEqual([
        "route.added",
        "user.active",
        "factor.reset",
        "user.role",
        "user.role",
        "session.ended",
        "sessions.ended",
        "user.blocked",
        "route.disabled",
        "route.enabled",
        "route.removed"
      ])
    }),
  240_000
)
