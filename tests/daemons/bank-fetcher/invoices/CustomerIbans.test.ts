import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { ibanOf } from "#daemons/bank-fetcher/bank-store/Iban.ts"
import { payers } from "#daemons/bank-fetcher/invoices/Exports.ts"
import { SqlClient } from "effect/sql"
import { callsOf, emitCustomer, startLedger } from "./Ledger.ts"

const german = "DE02120300000000202051"
const austrian = "AT611904300234573201"

it("check digits and lengths of IBANs count", () => {
  for (const [text, iban] of [
    ["de02 1203 0000 0000 2020 51", german],
    ["AT61 1904 3002 3457 3201", austrian],
    ["NO9386011117947", "NO9386011117947"],
    ["MT84MALT011000012345MTLCAST001S", "MT84MALT011000012345MTLCAST001S"],
    ["DE02120300000000202015", undefined],
    ["DE03120300000000202051", undefined],
    ["DE0212030000000020205", undefined],
    ["", undefined]
  ] as const)
    expect([text, ibanOf(text)]).toEqual([text, iban])
})

it.live("a customer gets IBANs, and matching reads them with its name", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const mine = callsOf(suite, 7)
      yield* emitCustomer(suite, { customer_id: 5, tenant_id: 7, name: "Bäckerei Müller", number: "K-17" })
      yield* emitCustomer(suite, { customer_id: 6, tenant_id: 7, name: "50% off_shop" })
      yield* emitCustomer(suite, { customer_id: 9, tenant_id: 8 })
      const path = "/ebics/customers/5/ibans"
      const added = yield* mine.send("POST", path, { iban: "de02 1203 0000 0000 2020 51" })
      expect(added.json).toEqual({
        customer_id: 5,
        tenant_id: 7,
        number: "K-17",
        name: "Bäckerei Müller",
        ibans: [german]
      })
      const both = yield* mine.send("PUT", path, { ibans: [austrian, german, "AT61 1904 3002 3457 3201"] })
      expect([both.json.ibans, (yield* mine.get(path)).ibans]).toEqual([
        [austrian, german],
        [austrian, german]
      ])
      const wrong = yield* mine.send("PUT", path, { ibans: [german, "DE02120300000000202052"] })
      expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, "payload.ibans[1]"])
      const found = (query: string) =>
        Effect.map(mine.get(`/ebics/customers?${query}`), ({ items }) => items.map((row: any) => row.customer_id))
      for (const [query, ids] of [
        ["", [6, 5]],
        ["q=m%C3%BCLLER", [5]],
        ["q=%25", [6]],
        ["q=de02%201203", [5]],
        ["q=1203", []],
        ["limit=1", [6]]
      ] as const)
        expect([query, yield* found(query)]).toEqual([query, ids])

      const payersOf = (tenant: number) =>
        tenantTransaction(tenant, payers(tenant)).pipe(Effect.provideService(SqlClient.SqlClient, suite.sql))
      expect((yield* payersOf(7)).toSorted((a, b) => a.customerId - b.customerId)).toEqual([
        { customerId: 5, name: "Bäckerei Müller", ibans: [austrian, german] },
        { customerId: 6, name: "50% off_shop", ibans: [] }
      ])
      for (const method of ["GET", "DELETE"]) expect((yield* callsOf(suite, 8).send(method, path)).status).toBe(404)
      expect((yield* callsOf(suite, 8).send("PUT", path, { ibans: [] })).status).toBe(404)
      expect((yield* mine.send("DELETE", path)).status).toBe(204)
      expect((yield* mine.get(path)).ibans).toEqual([])
      const audit = yield* suite.sql<{ detail: unknown }>`select detail from core.audit
        where action = 'customer_ibans.changed' order by id`
      expect(JSON.stringify(audit)).not.toContain(german)
      expect(audit.map(({ detail }) => detail)).toEqual([
        { before: 0, after: 1 },
        { before: 1, after: 2 },
        { before: 2, after: 0 }
      ])
    })
  )
)

it.live("a deleted customer's IBANs go and its invoices stay, in any order of events", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      const { get, invoice, send } = callsOf(suite, 7)
      const customer = { customer_id: 5, tenant_id: 7, name: "Bakery" }
      yield* emitCustomer(suite, { ...customer, version: 2 })
      const { id } = yield* invoice("RE-1", "10.00", { customer_id: 5 })
      yield* send("PUT", "/ebics/customers/5/ibans", { ibans: [german] })
      yield* emitCustomer(suite, { ...customer, version: 9, state: "deleted" })
      const left = yield* suite.sql<{ name: string; ibans: number }>`select name,
        (select count(*)::int from bank_fetcher.customer_iban) as ibans from bank_fetcher.customer`
      expect(left).toEqual([{ name: "", ibans: 0 }])
      expect((yield* send("GET", "/ebics/customers/5/ibans")).status).toBe(404)
      expect(yield* get(`/invoices/${id}`)).toMatchObject({ customer_id: 5, customer_name: null, status: "open" })
      // An older event that comes late changes nothing.
      const late = { ...customer, number: "K", locale: "de", email: null, phones: [], state: "active", version: 3 }
      yield* suite.sql`insert into core.event (type, source, tenant_id, data)
        values ('customer.changed', 'test', 7, ${suite.sql.json(late)})`
      yield* emitCustomer(suite, { customer_id: 6, tenant_id: 7 })
      expect((yield* send("GET", "/ebics/customers/5/ibans")).status).toBe(404)
    })
  )
)

it.live("an invoice belongs to the tenant of its customer", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const suite = yield* startLedger()
      yield* emitCustomer(suite, { customer_id: 5, tenant_id: 7 })
      const token = yield* suite.token
      const post = (body: object) => suite.call("POST", "/api/v1/crm/invoices", { token, body })
      const body = { number: "RE-1", amount: "10.00", issued_on: "2030-01-01" }
      expect((yield* post({ ...body, customer_id: 5 })).json.tenant_id).toBe(7)
      expect((yield* post({ ...body, tenant_id: 8 })).json.tenant_id).toBe(8)
      expect((yield* post(body)).json.tenant_id).toBe(1)
      const wrong = yield* post({ ...body, number: "RE-2", customer_id: 5, tenant_id: 8 })
      expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, "payload.customer_id"])
      const stolen = yield* callsOf(suite, 8).send("POST", "/invoices", { ...body, number: "RE-3", tenant_id: 7 })
      expect(stolen.status).toBe(403)
    })
  )
)
