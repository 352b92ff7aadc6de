import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Passwords from "#core/password/Passwords.ts"
import { as, callsOf, events, password, startAdmin } from "./Admin.ts"

it.live("each creation, change, suspension and deletion of a mailbox emits one event", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { sql } = suite
      const { domain, get, post, put, remove } = callsOf(suite, as(7))
      const { id: domainId } = yield* domain("a.test")
      const path = `domains/${domainId}/accounts`
      const made = yield* post(path, { local_part: "Ann.Lee", password, quota_mb: 500, user_id: 70 })
      expect(made.status).toBe(201)
      const { id } = made.json
      expect(made.json).toEqual({
        id,
        tenant_id: 7,
        domain_id: domainId,
        local_part: "ann.lee",
        address: "ann.lee@a.test",
        user_id: 70,
        quota_mb: 500,
        state: "active",
        is_default: true,
        created_at: expect.any(String),
        updated_at: expect.any(String)
      })
      const hash = Effect.map(
        sql<{ password_hash: string }>`select password_hash from mail_admin.mailbox where id = ${id}`,
        ([row]) => row!.password_hash
      )
      const first = yield* hash
      expect(first).toMatch(/^\$argon2id\$v=19\$/)
      const passwords = yield* Passwords.make()
      expect(yield* passwords.verify(Redacted.make(password), first)).toBe(true)

      expect((yield* put(`accounts/${id}`, { password: "another four words" })).status).toBe(200)
      expect(yield* passwords.verify(Redacted.make("another four words"), yield* hash)).toBe(true)
      expect((yield* put(`accounts/${id}`, { quota_mb: null })).json.quota_mb).toBe(null)
      expect((yield* put(`accounts/${id}`, { quota_mb: null })).json.quota_mb).toBe(null)
      expect((yield* put(`accounts/${id}`, { password: "and four words more", quota_mb: 7 })).json.quota_mb).toBe(7)
      for (const wrong of [
        {},
        { quota_mb: 0 },
        { quota_mb: 1_048_577 },
        { password: "short" },
        { password: "ann.lee@a.test" },
        { local_part: "b" }
      ]) {
        expect([wrong, (yield* put(`accounts/${id}`, wrong)).status]).toEqual([wrong, 422])
      }
      expect((yield* post(`accounts/${id}/suspend`)).json.state).toBe("suspended")
      expect((yield* post(`accounts/${id}/suspend`)).json.state).toBe("suspended")
      expect((yield* get(`accounts/${id}`)).json.state).toBe("suspended")
      expect((yield* post(`accounts/${id}/unsuspend`)).json.state).toBe("active")
      expect((yield* remove(`accounts/${id}`)).status).toBe(204)
      expect((yield* remove(`accounts/${id}`)).status).toBe(404)
      expect((yield* get(path)).json).toEqual({ items: [], next_before: null })

      const told = yield* events(suite, "mail.account.")
      expect(told.map(({ state, type }) => `${type.slice(13)} ${state}`)).toEqual([
        "created active",
        "changed active",
        "changed active",
        "changed active",
        "suspended suspended",
        "unsuspended active",
        "deleted deleted"
      ])
      expect(told[0]).toEqual({
        type: "mail.account.created",
        account_id: id,
        address: "ann.lee@a.test",
        user_id: 70,
        tenant_id: 7,
        state: "active",
        is_default: true,
        version: told[0].version
      })
      const versions = told.map(({ version }) => version)
      expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
      const audit = yield* sql<{
        action: string
        all: string
      }>`select action, a::text as all from core.audit a where entity_type = 'mail_account' order by id`
      expect(audit.map(({ action }) => action.slice(13))).toEqual([
        "created",
        "password_set",
        "quota_set",
        "password_set",
        "quota_set",
        "suspended",
        "unsuspended",
        "deleted"
      ])
      const written = JSON.stringify([told, audit, yield* sql`select * from core.idempotency_key`])
      for (const secret of ["argon2id", password, "another four words"]) expect(written).not.toContain(secret)
    })
  )
)

it.live("an address is either a mailbox or an alias, and passwords follow the rules", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { account, alias, domain, get, post } = callsOf(suite, as(7))
      const { id } = yield* domain("a.test")
      yield* account(id, "ann")
      yield* alias(id, "info", "ann@a.test")
      const code = Effect.fnUntraced(function* (path: string, body: unknown) {
        const { json, status } = yield* post(path, body)
        return [status, json.code]
      })
      const box = (local_part: string, more = {}) => code(`domains/${id}/accounts`, { local_part, password, ...more })
      expect(yield* box("ANN")).toEqual([409, "address_taken"])
      expect(yield* box("info")).toEqual([409, "address_taken"])
      for (const wrong of ["a..b", "../x", "a+b", "ü", ""]) expect(yield* box(wrong)).toEqual([422, "invalid_request"])
      expect(yield* box("bob", { password: "bob@a.test" })).toEqual([422, "invalid_request"])
      expect(yield* box("bob", { quota_mb: 1.5 })).toEqual([422, "invalid_request"])
      expect(yield* code("domains/2000000000/accounts", { local_part: "bob", password })).toEqual([404, "not_found"])

      const to = (source: string, destination: string) => code(`domains/${id}/aliases`, { source, destination })
      expect(yield* to("ann", "x@far.test")).toEqual([409, "address_taken"])
      expect(yield* to("info", "ann@a.test")).toEqual([409, "address_taken"])
      expect(yield* to("info", "Second@Far.test")).toEqual([201, undefined])
      expect(yield* to("self", "self@A.test")).toEqual([409, "alias_loop"])
      expect(yield* to("info", "none")).toEqual([422, "invalid_request"])
      const other = yield* domain("b.test")
      yield* alias(other.id, "one", "two@a.test")
      yield* alias(id, "two", "three@b.test")
      expect(yield* code(`domains/${other.id}/aliases`, { source: "three", destination: "one@b.test" })).toEqual([
        409,
        "alias_loop"
      ])
      expect(yield* code(`domains/${other.id}/aliases`, { source: "three", destination: "ann@a.test" })).toEqual([
        201,
        undefined
      ])
      expect(
        (yield* get(`domains/${id}/aliases`)).json.items.map(
          ({ destination, source }: any) => `${source} ${destination}`
        )
      ).toEqual(["two three@b.test", "info second@far.test", "info ann@a.test"])
    })
  )
)

it.live("an address is given to one of several parallel requests, and a user has one default mailbox", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { domain, get, post, remove } = callsOf(suite, as(7))
      const { id } = yield* domain("a.test")
      const asked = yield* Effect.all(
        ["ann", "ann", "ann", "bob", "cat"].map((local_part) =>
          post(`domains/${id}/accounts`, { local_part, password, user_id: 70 })
        ),
        { concurrency: "unbounded" }
      )
      expect(asked.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 409, 409])
      const boxes = Effect.map(get(`domains/${id}/accounts`), ({ json }) => json.items as ReadonlyArray<any>)
      const defaults = Effect.map(boxes, (items) => items.filter(({ is_default }) => is_default).map(({ id }) => id))
      const before = yield* defaults
      expect(before).toHaveLength(1)
      yield* remove(`accounts/${before[0]}`)
      const left = yield* boxes
      expect(yield* defaults).toEqual([Math.min(...left.map(({ id }) => id))])
      const [heir] = yield* events(suite, "mail.account.changed")
      expect(heir).toMatchObject({ account_id: (yield* defaults)[0], is_default: true, state: "active" })
    })
  )
)

it.live("a repeated request with the same Idempotency-Key returns the same mailbox", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startAdmin()
      const { domain, post } = callsOf(suite, as(7))
      const [one, other] = [yield* domain("a.test"), yield* domain("b.test")]
      const key = { "idempotency-key": "once" }
      const ask = (id: number, more = {}) =>
        post(`domains/${id}/accounts`, { local_part: "ann", password, ...more }, key)
      const first = yield* ask(one.id)
      expect((yield* ask(one.id, { password: "words that are others" })).json).toEqual(first.json)
      expect((yield* ask(other.id)).json.code).toBe("idempotency_key_reused")
      expect((yield* ask(one.id, { local_part: "bob" })).json.code).toBe("idempotency_key_reused")
    })
  )
)
