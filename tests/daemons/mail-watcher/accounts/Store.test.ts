/** Foreign accounts: added, changed and removed by their users, and tested on a real Dovecot before they are stored. */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import { expect } from "vitest"
import { addKey, contextOf, layer as secretsLayer, Secrets } from "#core/config/Secrets.ts"
import { reseal } from "#core/config/SecretRotation.ts"
import { maxForeignAccounts } from "#daemons/mail-watcher/accounts/Store.ts"
import { sealedPasswords } from "#daemons/mail-watcher/accounts/MailLogins.ts"
import { as, password, type Placed, startWatcher } from "../Watcher.ts"

class Place extends Context.Service<Place, Placed>()("test/Place") {
  static readonly layer = Layer.effect(Place, startWatcher(["ann@example.test", "bob@example.test"]))
}

const path = "/api/v1/mail/webmail/accounts"

const calls = Effect.map(Place, ({ dovecot, suite }) => {
  const there = (address: string) => ({ address, imap_host: "127.0.0.1", imap_port: dovecot.imapsPort, password })
  const call = (method: string, at: string, tenant: number, body?: unknown, headers = {}) =>
    suite.call(method, `${path}${at}`, {
      headers: { ...as(tenant).headers, ...headers },
      ...(body === undefined ? {} : { body })
    })
  return {
    suite,
    there,
    get: (at: string, tenant: number) => call("GET", at, tenant),
    post: (at: string, tenant: number, body?: unknown, headers = {}) => call("POST", at, tenant, body, headers),
    put: (at: string, tenant: number, body: unknown) => call("PUT", at, tenant, body),
    remove: (at: string, tenant: number) => call("DELETE", at, tenant),
    /** Password from the account's envelope. */
    kept: (id: number) =>
      Effect.gen(function* () {
        const [row] = yield* suite.sql<{ password: string }>`select password from mail_watcher.account where id = ${id}`
        return Redacted.value(yield* (yield* Secrets).open(row!.password, contextOf(sealedPasswords, String(id))))
      }).pipe(Effect.provide(secretsLayer(join(suite.env["SIGNALBOX_DATA_DIR"]!, "keys")))),
    audit: (tenant: number) =>
      Effect.map(
        suite.sql<{
          action: string
          detail: any
        }>`select action, detail from core.audit where tenant_id = ${tenant} and entity_type = 'webmail_account' order by id`,
        (rows) => rows.map(({ action, detail }) => [action, detail])
      )
  }
})

describe("foreign accounts", () => {
  layer(Place.layer, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect(
      "are stored after a successful sign-in, without showing the password",
      () =>
        Effect.gen(function* () {
          const { audit, get, kept, post, put, remove, suite, there } = yield* calls
          const made = yield* post("", 7, { ...there(" Ann@Example.TEST"), display_name: "Ann" })
          expect([made.status, made.text]).toEqual([201, expect.anything()])
          expect(made.json).toMatchObject({
            address: "ann@example.test",
            kind: "foreign",
            tenant_id: 7,
            user_id: 70,
            is_default: true,
            smtp_host: null,
            smtp_port: null,
            login: null
          })
          const { id } = made.json
          expect(yield* kept(id)).toBe(password)
          expect((yield* get(`/${id}`, 7)).json).toEqual(made.json)
          expect((yield* get(`/${id}`, 8)).status).toBe(404)

          const wrong = yield* put(`/${id}`, 7, { password: "wrong" })
          expect([wrong.status, wrong.json.code]).toEqual([409, "mail_sign_in_refused"])
          expect(yield* kept(id)).toBe(password)
          const blind = yield* put(`/${id}?verify=false`, 7, { password: "another one" })
          expect(blind.status).toBe(200)
          expect(yield* kept(id)).toBe("another one")
          // The stored password is tested when the login changes. It is not used for a different host.
          expect((yield* put(`/${id}`, 7, { login: "bob@example.test" })).json.code).toBe("mail_sign_in_refused")
          for (const host of ["imap_host", "smtp_host"]) {
            const elsewhere = yield* put(`/${id}?verify=false`, 7, { [host]: "localhost" })
            expect([elsewhere.status, elsewhere.json.errors?.[0]?.field]).toEqual([422, "payload.password"])
          }
          expect((yield* put(`/${id}`, 7, { password, smtp_host: "localhost", display_name: "" })).json).toMatchObject({
            smtp_host: "localhost",
            smtp_port: 465,
            display_name: ""
          })
          expect((yield* put(`/${id}`, 7, { login: "bob@example.test" })).json).toMatchObject({
            login: "bob@example.test"
          })
          expect((yield* put(`/${id}`, 7, { smtp_host: null })).json).toMatchObject({
            smtp_host: null,
            smtp_port: null
          })
          expect((yield* put(`/${id}`, 7, {})).json.errors).toEqual([
            { field: "payload", message: "must have at least one field" }
          ])
          expect((yield* put(`/${id}`, 8, { display_name: "x" })).status).toBe(404)
          expect((yield* remove(`/${id}`, 8)).status).toBe(404)
          expect((yield* remove(`/${id}`, 7)).status).toBe(204)
          expect((yield* get(`/${id}`, 7)).status).toBe(404)
          const written = yield* audit(7)
          expect(written.map(([action]) => action)).toEqual([
            "webmail_account.created",
            ...Array(4).fill("webmail_account.changed"),
            "webmail_account.deleted"
          ])
          expect(written[1]).toEqual([
            "webmail_account.changed",
            { address: "ann@example.test", changed: ["password"] }
          ])
          const everything =
            yield* suite.sql`select a::text as row from core.audit a union all select k::text from core.idempotency_key k union all select e::text from core.event e`
          for (const secret of [password, "another one"]) assert.notInclude(JSON.stringify(everything), secret)
        }),
      120_000
    )

    it.effect(
      "are refused with the reason",
      () =>
        Effect.gen(function* () {
          const { get, post, there } = yield* calls
          const problem = ({ json, status }: { readonly status: number; readonly json: any }) => [
            status,
            json.code,
            ...(json.errors ?? []).map(({ field }: any) => field)
          ]
          expect(problem(yield* post("", 7, { ...there("ann@example.test"), password: "wrong" }))).toEqual([
            409,
            "mail_sign_in_refused"
          ])
          expect(problem(yield* post("", 7, { ...there("ann@example.test"), imap_port: 1 }))).toEqual([
            503,
            "mail_server_unavailable"
          ])
          const inside = yield* post("", 7, { ...there("ann@example.test"), imap_host: "10.0.0.7" })
          expect([...problem(inside), inside.json.detail]).toEqual([
            503,
            "mail_server_unavailable",
            "10.0.0.7 is not on the public internet."
          ])
          expect(problem(yield* post("", 7, { ...there("ann@example.test"), imap_host: "a b" }))).toEqual([
            422,
            "invalid_request",
            "payload.imap_host"
          ])
          expect(problem(yield* post("", 7, { ...there("ann"), password: "a\r\nb" }))).toEqual([
            422,
            "invalid_request",
            "payload.address",
            "payload.password"
          ])
          expect(problem(yield* post("", 7, { ...there("ann@example.test"), user_id: 71 }))).toEqual([403, "forbidden"])
          expect((yield* get("", 7)).json.items).toEqual([])
        }),
      120_000
    )

    it.effect(
      "are unique per address and key, up to the limit",
      () =>
        Effect.gen(function* () {
          const { get, post, put, remove, suite } = yield* calls
          const body = (address: string) => ({ address, imap_host: "imap.example.org", password })
          const add = (address: string, key?: string) =>
            post("?verify=false", 8, body(address), key === undefined ? {} : { "idempotency-key": key })
          const first = yield* add("ann@far.test", "once")
          expect((yield* add("ann@far.test", "once")).json).toEqual(first.json)
          // Passwords are not part of the request's fingerprint, so a different password does not change the answer.
          expect(
            (yield* post(
              "?verify=false",
              8,
              { ...body("ann@far.test"), password: "another" },
              { "idempotency-key": "once" }
            )).json
          ).toEqual(first.json)
          const again = yield* add("ANN@far.test")
          expect([again.status, again.json.code]).toEqual([409, "account_taken"])
          // A different user may have an account with the same address.
          expect((yield* post("?verify=false", 9, body("ann@far.test"))).status).toBe(201)
          const left = Array.from({ length: maxForeignAccounts }, (_, index) => index)
          const added = yield* Effect.forEach(left, (index) => add(`more${index}@far.test`), { concurrency: 4 })
          expect(added.map(({ status }) => status).toSorted()).toEqual([
            ...Array(maxForeignAccounts - 1).fill(201),
            409
          ])
          expect(added.find(({ status }) => status === 409)!.json).toMatchObject({
            code: "too_many_accounts",
            limit: maxForeignAccounts
          })

          const second = added.find(({ status }) => status === 201)!.json
          const moved = yield* put(`/${second.id}?verify=false`, 8, { address: "ann@far.test" })
          expect([moved.status, moved.json.code]).toEqual([409, "account_taken"])
          expect([first.json.is_default, second.is_default]).toEqual([true, false])
          for (const _ of [1, 2]) expect((yield* post(`/${second.id}/default`, 8)).json.is_default).toBe(true)
          expect((yield* get(`/${first.json.id}`, 8)).json.is_default).toBe(false)
          expect((yield* remove(`/${second.id}`, 8)).status).toBe(204)

          // The platform must name the user.
          const token = yield* suite.token
          const none = yield* suite.call("POST", path, { token, body: body("zed@far.test") })
          expect(none.json.errors.map(({ field }: any) => field)).toEqual(["payload.tenant_id", "payload.user_id"])
          const named = yield* suite.call("POST", `${path}?verify=false`, {
            token,
            body: { ...body("zed@far.test"), tenant_id: 9, user_id: 90 }
          })
          expect([named.status, named.json.tenant_id, named.json.user_id]).toEqual([201, 9, 90])
          expect((yield* get(`/${named.json.id}`, 9)).json).toEqual(named.json)
          const neighbour = yield* suite.call("POST", `${path}?verify=false`, {
            token,
            body: { ...body("zed@far.test"), tenant_id: 9, user_id: 91 }
          })
          expect([neighbour.status, (yield* get(`/${neighbour.json.id}`, 9)).status]).toEqual([201, 404])
          expect((yield* get("", 9)).json.items.map(({ user_id }: any) => user_id)).toEqual([90, 90])
        }),
      120_000
    )

    it.effect(
      "have their passwords resealed by a key rotation",
      () =>
        Effect.gen(function* () {
          const { kept, post, suite } = yield* calls
          const { json } = yield* post("?verify=false", 6, {
            address: "ann@far.test",
            imap_host: "imap.example.org",
            password: "kept through"
          })
          const envelope = Effect.map(
            suite.sql<{ password: string }>`select password from mail_watcher.account where id = ${json.id}`,
            ([row]) => row!.password
          )
          const before = yield* envelope
          const keys = join(suite.env["SIGNALBOX_DATA_DIR"]!, "keys")
          yield* addKey(keys)
          const rotated = yield* reseal(sealedPasswords).pipe(
            Effect.provideService(SqlClient.SqlClient, suite.sql),
            Effect.provide(secretsLayer(keys))
          )
          expect(rotated.unreadable).toEqual([])
          expect(rotated.resealed).toBeGreaterThan(0)
          expect(yield* envelope).not.toBe(before)
          expect(yield* kept(json.id)).toBe("kept through")
        }),
      120_000
    )
  })
})
