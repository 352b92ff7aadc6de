/** Requests of fetches: permissions, refusals in words, one fetch at a time, the rate limit. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { requestPolicy } from "#daemons/bank-fetcher/fetching/FetchStore.ts"
import { until } from "#support/Frame.ts"
import { as, startBank, startFetching } from "./Fetching.ts"
import { oncePerFile } from "#support/OncePerFile.ts"

const running = oncePerFile(startFetching())

const at = (path: string) => `/api/v1/crm/ebics${path}`

describe("a request of a fetch", () => {
  it.live("needs an account of the tenant that is ready, and says in words what is missing", () =>
    Effect.gen(function* () {
      const place = yield* running
      const to = yield* startBank()
      const account = yield* place.account(to)
      const refusal = (change: string) =>
        Effect.gen(function* () {
          yield* place.sql.unsafe(change)
          const { json, status } = yield* place.request(account)
          expect([status, json.code]).toEqual([409, "account_not_ready"])
          return json.detail as string
        })
      const set = (assignment: string) => `update bank_fetcher.account set ${assignment}`
      expect(yield* refusal(set("key_status = 'hia_sent'"))).toBe(
        "The keys of the account are not active; they are hia_sent."
      )
      expect(yield* refusal(set("key_status = 'suspended'"))).toBe("The account is suspended.")
      expect(yield* refusal(set("key_status = 'active', stopped = 'bank_keys_changed'"))).toMatch(
        /keys of the bank have changed/
      )
      expect(yield* refusal(set("stopped = null, server_url = null"))).toMatch(/imported by hand/)
      expect(yield* refusal(set(`server_url = '${to.url}', active = false`))).toBe("The account is deactivated.")
      yield* place.sql`update bank_fetcher.account set active = true`
      expect(yield* refusal("update bank_fetcher.bank_key set state = 'offered', accepted_at = null")).toBe(
        "Nobody has compared and accepted the keys of the bank."
      )
      expect(yield* place.fetches(1)).toEqual([])

      expect((yield* place.request({ ...account, tenant: 2 })).status).toBe(404)
      expect((yield* place.call("POST", at("/accounts/none/fetch"), { ...as(1), body: {} })).status).toBe(404)
      const denied = yield* place.call("POST", at(`/accounts/${account.id}/fetch`), {
        ...as(1, "ebics.view"),
        body: {}
      })
      expect([denied.status, denied.json.permission]).toEqual([403, "ebics.fetch"])
      expect((yield* place.call("GET", at("/fetches"), as(1, "ebics.fetch"))).status).toBe(403)
    }).pipe(Effect.scoped)
  )

  it.live("refuses days and order types that do not fit", () =>
    Effect.gen(function* () {
      const place = yield* running
      const account = yield* place.account(yield* startBank())
      for (const [body, field] of [
        [{ to_date: "2026-01-01" }, "payload.from_date"],
        [{ from_date: "2026-02-30" }, "payload.from_date"],
        [{ from_date: "2999-01-01" }, "payload.from_date"],
        [{ from_date: "2026-01-02", to_date: "2026-01-01" }, "payload.to_date"],
        [{ order_types: [] }, "payload.order_types"],
        [{ order_types: ["C53", "XXX"] }, "payload.order_types[1]"],
        [{ range: 1 }, "payload.range"]
      ] as const) {
        const { json, status } = yield* place.request(account, body)
        expect([status, json.errors?.[0]?.field], JSON.stringify(body)).toEqual([422, field])
      }
    }).pipe(Effect.scoped)
  )

  it.live("asks for the days and order types that it names", () =>
    Effect.gen(function* () {
      const place = yield* running
      const to = yield* startBank()
      const account = yield* place.account(to, { version: "H004" })
      const body = { from_date: "2026-01-01", to_date: "2026-01-31", order_types: ["STA"] }
      const { json } = yield* place.request(account, body)
      expect(json).toMatchObject({ from_date: "2026-01-01", to_date: "2026-01-31", requested_by: "user:10" })
      const { orders } = yield* place.reached(json.id, 1, "empty")
      expect(orders.map(({ order_type }) => order_type)).toEqual(["STA"])
      expect(to.bank.calls).toEqual([{ what: "STA", code: "090005" }])
    }).pipe(Effect.scoped)
  )

  it.live("is answered by the fetch that waits, which then has its next attempt", () =>
    Effect.gen(function* () {
      // The first pause is a quarter of an hour.
      const place = yield* startFetching({ minute: 60_000 })
      const to = yield* startBank()
      const account = yield* place.account(to)
      to.bank.failNext("html502")
      const headers = { ...as(1).headers, "idempotency-key": "one" }
      const path = at(`/accounts/${account.id}/fetch`)
      const first = yield* place.call("POST", path, { headers, body: {} })
      yield* until(
        "the first attempt to fail",
        Effect.map(place.show(first.json.id), ({ retry_at }) => retry_at !== null)
      )
      // The same key has the same answer and changes nothing.
      expect((yield* place.call("POST", path, { headers, body: {} })).json).toEqual(first.json)
      expect((yield* place.show(first.json.id)).state).toBe("waiting")
      const second = yield* place.request(account)
      expect([second.status, second.json.id, second.json.retry_at]).toEqual([202, first.json.id, null])
      expect((yield* place.reached(first.json.id, 1, "empty")).attempts).toBe(2)
      expect(yield* place.fetches(1)).toHaveLength(1)
    }).pipe(Effect.scoped)
  )

  it.live("is refused above the limit of the tenant, and another tenant is not", () =>
    Effect.gen(function* () {
      const place = yield* running
      const to = yield* startBank()
      const account = yield* place.account(to)
      yield* place.sql`insert into bank_fetcher.fetch (tenant_id, account_id, reason, state, requested_by)
        select 1, ${account.id}, 'manual', 'empty', 'user:10' from generate_series(1, ${requestPolicy.limit})`
      const refused = yield* place.request(account)
      expect([refused.status, refused.json.code]).toEqual([429, "too_many_fetches"])
      expect((yield* place.request(yield* place.account(to, { tenant: 2 }))).status).toBe(202)
    }).pipe(Effect.scoped)
  )

  it.live("is listed with pages and filters", () =>
    Effect.gen(function* () {
      const place = yield* startFetching()
      const to = yield* startBank()
      const [one, other] = [yield* place.account(to), yield* place.account(to)]
      for (const account of [one, other, one]) yield* place.reached((yield* place.request(account)).json.id, 1, "empty")
      const first = yield* place.call("GET", at("/fetches?limit=2"), as(1))
      expect(first.json.items).toHaveLength(2)
      const rest = yield* place.fetches(1, `?before=${first.json.next_before}`)
      expect(rest).toHaveLength(1)
      expect(yield* place.fetches(1, `?account_id=${one.id}`)).toHaveLength(2)
      expect(yield* place.fetches(1, "?state=failed")).toEqual([])
      expect((yield* place.call("GET", at("/fetches?state=none"), as(1))).status).toBe(422)
    }).pipe(Effect.scoped)
  )
})
