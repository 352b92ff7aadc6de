import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { password, signInSuite } from "../SignInSuite.ts"

it.live("gives tokens for the right password, to be kept nowhere, and says who is signed in", () =>
  Effect.scoped(Effect.gen(function*() {
    const { account, get, login, sql } = yield* signInSuite()
    const { email, id } = yield* account({ role: "admin" })
    const answer = yield* login(` ${email.toUpperCase()} `)
    expect([answer.status, answer.json]).toMatchObject([200, { token_type: "Bearer", expires_in: 900, access_token: expect.any(String), refresh_token: expect.stringMatching(/^sbr_/) }])
    expect([answer.headers.get("cache-control"), answer.headers.get("pragma")]).toEqual(["no-store", "no-cache"])
    const me = yield* get("me", answer.json.access_token)
    expect(me.json).toMatchObject({ id, tenant_id: 1, tenant_name: "Provider", email, role: "admin", factors: [], session: { methods: ["password"], current: true, address: "127.0.0.1" } })
    expect(me.json.permissions).toEqual([...me.json.permissions].sort())
    expect(me.json.permissions).toContain("workflows.manage")
    const entries = yield* sql`select 1 from core.audit where action = 'session.opened' and actor = ${`user:${id}`}`
    expect(entries.length).toBe(1)
    void password
  })))
