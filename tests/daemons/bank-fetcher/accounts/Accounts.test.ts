/** Bank accounts: creation, change, deactivation, and who sees them. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { TestSuite } from "#support/TestSuite.ts"
import { as, callsOf, iban, refusal, startFetcher } from "../Fetcher.ts"

class Suite extends Context.Service<Suite, TestSuite>()("test/Suite") {
  static readonly layer = Layer.effect(Suite, startFetcher({ env: { SIGNALBOX_BANK_ALLOW_CIDRS: "" } }))
}

const ebics = {
  host_id: "EBIXHOST",
  partner_id: "PARTNER1",
  user_id: "USER1",
  server_url: "https://ebics.example.org/ebics"
}

describe("bank accounts", () => {
  layer(Suite.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "are created, found, changed, deactivated and reactivated",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const calls = callsOf(suite, as(41))
        const body = { name: "Main", iban: ` ${iban(1).toLowerCase()} `, bic: "cobadeff", ...ebics }
        const key = { "idempotency-key": "one" }
        const made = yield* calls.post("accounts", body, key)
        expect(made.status).toBe(201)
        expect(made.json).toMatchObject({
          ...ebics,
          iban: iban(1),
          bic: "COBADEFF",
          currency: "EUR",
          tenant_id: 41,
          key_status: "pending",
          signature_version: "A006",
          key_bits: 3072,
          ready: false,
          active: true
        })
        const { id } = made.json
        expect((yield* calls.post("accounts", body, key)).json.id).toBe(id)
        expect(refusal(yield* calls.post("accounts", body))).toEqual([409, "iban_taken"])

        // For statements that are only imported by hand.
        const byHand = yield* calls.account({ name: "By 100% hand", iban: iban(2), currency: "CHF" })
        expect(byHand).toMatchObject({ host_id: null, server_url: null, currency: "CHF" })
        expect(refusal(yield* calls.post(`accounts/${byHand.id}/keys/init`))).toEqual([409, "account_unfit"])
        expect((yield* calls.get(`accounts/${byHand.id}/keys/status`)).json.next).toBe("configure")

        const ids = (query: string) =>
          Effect.map(calls.get(`accounts?${query}`), ({ json }) => json.items.map((one: any) => one.id))
        expect(yield* ids("")).toEqual([byHand.id, id])
        expect(yield* ids("q=100%25")).toEqual([byHand.id])
        expect(yield* ids("q=_")).toEqual([])
        expect(yield* ids(`q=${iban(1).slice(0, 8)}`)).toEqual([id])
        expect(yield* ids("key_status=active")).toEqual([])
        const first = (yield* calls.get("accounts?limit=1")).json
        expect([first.items[0].id, first.next_before]).toEqual([byHand.id, byHand.seq])
        expect((yield* calls.get(`accounts?limit=1&before=${first.next_before}`)).json).toMatchObject({
          items: [{ id }],
          next_before: null
        })

        const order = { order: "C53", kind: "daily", service: { name: "EOP", scope: "CH", message: "camt.053" } }
        const changed = { order_types: [order], daily_schedule: "30 6 * * 1-5", fetch_enabled: false, bic: null }
        expect((yield* calls.put(`accounts/${id}`, changed)).json).toMatchObject(changed)
        expect(refusal(yield* calls.put(`accounts/${id}`, {}))).toEqual([422, "invalid_request", "payload"])
        expect(refusal(yield* calls.put(`accounts/${id}`, { iban: iban(3) }))[0]).toBe(422)
        expect(refusal(yield* calls.put(`accounts/${id}`, { host_id: null }))).toEqual([
          422,
          "invalid_request",
          "payload.host_id"
        ])

        for (const status of [204, 204]) expect((yield* calls.remove(`accounts/${id}`)).status).toBe(status)
        expect((yield* calls.get(`accounts/${id}`)).json).toMatchObject({ active: false })
        expect(yield* ids("active=true")).toEqual([byHand.id])
        expect(refusal(yield* calls.post(`accounts/${id}/keys/init`))).toEqual([409, "account_unfit"])
        const second = yield* calls.account({ iban: iban(1) })
        expect(refusal(yield* calls.post(`accounts/${id}/reactivate`))).toEqual([409, "iban_taken"])
        yield* calls.remove(`accounts/${second.id}`)
        expect((yield* calls.post(`accounts/${id}/reactivate`)).json.active).toBe(true)

        const audit =
          yield* suite.sql`select action, actor, tenant_id from core.audit where entity_id = ${id} order by id`
        expect(audit.map(({ action }) => action)).toEqual([
          "bank_account.created",
          "bank_account.changed",
          "bank_account.deactivated",
          "bank_account.reactivated"
        ])
        expect(new Set(audit.map(({ actor, tenant_id: tenant }) => `${actor} ${tenant}`))).toEqual(
          new Set(["user:410 41"])
        )
      })
    )

    it.effect(
      "name every wrong field: check digits, BIC, addresses inside, schedules",
      Effect.fnUntraced(function* () {
        const { post } = callsOf(yield* Suite, as(42))
        const fieldsOf = (body: object) =>
          Effect.map(post("accounts", { name: "x", iban: iban(5), ...body }), ({ json, status }) =>
            status === 422 ? json.errors.map((one: any) => one.field.replace("payload.", "")) : status
          )
        const wrongDigits = iban(5).replace(/^DE../, "DE00")
        expect(
          yield* fieldsOf({ iban: wrongDigits, bic: "COBA", daily_schedule: "8:00", intraday_schedule: "* * * * * *" })
        ).toEqual(["iban", "bic", "daily_schedule", "intraday_schedule"])
        expect(yield* fieldsOf({ iban: `${iban(5)}1` })).toEqual(["iban"])
        for (const address of [
          "http://ebics.example.org/ebics",
          "https://127.0.0.1/ebics",
          "https://10.1.2.3/ebics",
          "https://[::1]/ebics",
          "https://[::ffff:10.1.2.3]/ebics",
          "https://169.254.169.254/latest",
          "https://localhost/ebics",
          "https://user:word@ebics.example.org/",
          "ebics.example.org"
        ])
          expect([address, yield* fieldsOf({ ...ebics, server_url: address })]).toEqual([address, ["server_url"]])
        expect(yield* fieldsOf({ host_id: "EBIXHOST" })).toEqual(["partner_id", "user_id", "server_url"])
        expect(yield* fieldsOf({ ...ebics, user_id: "no spaces" })).toEqual(["user_id"])
        expect(yield* fieldsOf({ key_bits: 1024 })).toEqual(["key_bits"])
        expect(yield* fieldsOf({ order_types: [{ order: "C53", kind: "daily", service: { name: "eop" } }] })).not.toBe(
          201
        )
      })
    )

    it.effect(
      "do not exist for another tenant, and need their permissions",
      Effect.fnUntraced(function* () {
        const suite = yield* Suite
        const { account } = callsOf(suite, as(43))
        const { id } = yield* account({ iban: iban(6), ...ebics })
        const stranger = callsOf(suite, as(44))
        const hashes = { authentication: "00", encryption: "00" }
        const posts: ReadonlyArray<readonly [string, object?]> = [
          ["reactivate"],
          ["permissions"],
          ...["init", "ini", "hia", "activate", "suspend", "resume", "bank/refresh"].map(
            (step) => [`keys/${step}`] as const
          ),
          ["keys/bank/accept", hashes],
          ["keys/reset", { confirm: iban(6) }],
          ["keys/unlock", { passphrase: "correct horse battery" }]
        ]
        const ends = posts.map(([end, body]) => ["POST", end, body] as const)
        const gets = ["", "keys/status", "keys/ini-letter"]
        for (const end of gets) expect([end, (yield* stranger.get(`accounts/${id}/${end}`)).status]).toEqual([end, 404])
        for (const [, end, body] of ends)
          expect([end, (yield* stranger.post(`accounts/${id}/${end}`, body)).status]).toEqual([end, 404])
        expect((yield* stranger.put(`accounts/${id}`, { name: "mine" })).status).toBe(404)
        expect((yield* stranger.remove(`accounts/${id}`)).status).toBe(404)
        expect((yield* stranger.get("accounts")).json.items).toEqual([])
        expect(refusal(yield* stranger.post("accounts", { name: "x", iban: iban(6), tenant_id: 43 }))[0]).toBe(403)
        // The same IBAN in another tenant is another account.
        expect((yield* stranger.account({ iban: iban(6) })).tenant_id).toBe(44)

        const viewer = callsOf(suite, as(43, "ebics.view"))
        expect((yield* viewer.get(`accounts/${id}`)).json).toMatchObject({ name: "Main", active: true })
        expect((yield* viewer.get(`accounts/${id}/keys/status`)).status).toBe(200)
        for (const [, end, body] of ends)
          expect([end, (yield* viewer.post(`accounts/${id}/${end}`, body)).status]).toEqual([end, 403])
        expect((yield* viewer.put(`accounts/${id}`, { name: "mine" })).status).toBe(403)
        expect((yield* callsOf(suite, as(43, "ebics.fetch")).get("accounts")).status).toBe(403)
      })
    )
  })
})
