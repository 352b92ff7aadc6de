import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { camt053 } from "#support/bank/StatementFiles.ts"
import { as, prefix, startStatements } from "./StatementSuite.ts"

const iban = "DE02120300000000202051"
const euro = {
  day: "2026-01-06",
  number: 1,
  bookings: [
    { amount: "250.50", text: "Rechnung RE-42, Danke", endToEndId: "E-1", iban, name: "Müller & Söhne" },
    { amount: "-12.00", text: '=HYPERLINK("x")', reference: "B-2" },
    { amount: "99.99", text: "50% off_shop", status: "PDNG" as const, on: "2026-01-05" }
  ]
}
const yen = {
  day: "2026-01-07",
  number: 1,
  currency: "JPY",
  iban: "DE02500105170137075030",
  closing: "250",
  opening: "0",
  bookings: [{ amount: "250", text: "yen" }]
}

it.live("transactions are filtered, paged and exported", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startStatements()
      const account = yield* bank.account()
      yield* bank.imported(camt053(euro))
      yield* bank.imported(camt053(yen))
      const texts = (query: string) =>
        Effect.map(bank.items(`/transactions?${query}`), (items) => items.map(({ amount }) => amount))
      const [statement] = yield* bank.items(`/statements?account=${account}`)
      for (const [query, expected] of [
        ["", ["250", "99.99", "-12.00", "250.50"]],
        [`account=${account}`, ["99.99", "-12.00", "250.50"]],
        [`statement=${statement.id}&booking_status=booked`, ["-12.00", "250.50"]],
        ["status=matched", undefined],
        ["status=unmatched&direction=out", ["-12.00"]],
        ["from=2026-01-06&to=2026-01-06", ["-12.00", "250.50"]],
        // The bounds are in the main unit of each currency.
        ["min_amount=250", ["250", "250.50"]],
        ["min_amount=12&max_amount=100", ["99.99", "-12.00"]],
        ["min_amount=99.99&max_amount=99.99", ["99.99"]],
        ["currency=JPY", ["250"]],
        ["q=m%C3%BCller", ["250.50"]],
        ["q=DE02%201203%200000", ["250.50"]],
        ["q=e-1", ["250.50"]],
        ["q=%25", ["99.99"]],
        ["current=false", []]
      ] as const) {
        if (expected === undefined) expect((yield* bank.get(`/transactions?${query}`)).status).toBe(422)
        else expect([query, yield* texts(query)]).toEqual([query, expected])
      }
      // A statement of several days is found by each of them.
      yield* bank.sql`update bank_fetcher.statement set from_date = '2026-01-02' where id = ${statement.id}`
      const found = (query: string) =>
        Effect.map(bank.items(`/statements?account=${account}&${query}`), (items) => items.length)
      for (const [query, count] of [
        ["from=2026-01-06", 1],
        ["from=2026-01-07", 0],
        ["to=2026-01-02", 1],
        ["to=2026-01-01", 0],
        ["from=2026-01-03&to=2026-01-04", 1]
      ] as const)
        expect([query, yield* found(query)]).toEqual([query, count])
      const first = (yield* bank.get("/transactions?limit=3")).json
      const second = (yield* bank.get(`/transactions?limit=3&before=${first.next_before}`)).json
      expect([first.items.length, second.items.length, second.next_before]).toEqual([3, 1, null])
      expect((yield* bank.get("/transactions/7")).status).toBe(404)
      expect((yield* bank.items("/transactions", 2)).length).toBe(0)

      const csv = yield* bank.suiteCall("GET", `${prefix}/transactions/export?currency=EUR`, as(1, "ebics.view"))
      expect([csv.status, csv.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
      const lines = csv.text.trimEnd().split("\r\n")
      expect(lines).toHaveLength(4)
      expect(lines[0]).toMatch(/^booked_on,value_on,amount,currency,/)
      expect(lines[2]).toContain('-12.00,EUR,booked,,,,"\'=HYPERLINK(""x"")"')
      expect(lines[3]).toContain('Müller & Söhne,DE02120300000000202051,,"Rechnung RE-42, Danke",E-1')
    })
  )
)

it.live("a page of many rows is read from an index", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startStatements()
      const account = yield* bank.account()
      yield* bank.imported(camt053(euro))
      const { sql } = bank
      yield* sql`insert into bank_fetcher.transaction (tenant_id, account_id, statement_id, position, amount, currency,
          status, booked_on, text)
        select 1, ${account}, (select id from bank_fetcher.statement), 100 + n, n, 'EUR', 'booked',
          '2026-01-06'::date - n / 100, 'text ' || n from generate_series(1, 20000) n`
      yield* sql`analyze bank_fetcher.transaction`
      const plan = (filter: string) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select set_config('app.tenant', '1', true), set_config('role', 'signalbox_tenant', true)`
            const rows = yield* sql.unsafe<{ "QUERY PLAN": string }>(
              `explain select * from bank_fetcher.transaction where current ${filter} order by seq desc limit 51`
            )
            return rows.map((row) => row["QUERY PLAN"]).join("\n")
          })
        )
      for (const filter of [
        "",
        "and seq < 5000",
        `and account_id = '${account}'`,
        "and reconciliation_status = 'unmatched'"
      ]) {
        const found = yield* plan(filter)
        expect([filter, /Index Scan/.test(found), /Sort|Seq Scan/.test(found)]).toEqual([filter, true, false])
      }
      expect(yield* bank.items("/transactions?limit=200")).toHaveLength(200)
    })
  )
)
