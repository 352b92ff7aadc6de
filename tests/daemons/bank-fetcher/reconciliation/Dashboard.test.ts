import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { as, startBank } from "./Rig.ts"

it.live("the dashboard shows balances, what waits, open invoices, failures and figures of each day", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startBank()
      const { sql } = bank
      const main = yield* bank.account(7)
      yield* bank.account(8)
      const today = new Date().toISOString().slice(0, 10)
      const file = sql`(select file_id from bank_fetcher.statement where id = ${main.statement})`
      yield* sql`insert into bank_fetcher.statement (tenant_id, account_id, file_id, position, kind, format, bank_id,
          currency, closing, closing_on, findings, state)
        values (7, ${main.id}, ${file}, 1, 'intraday', 'MT942', '2', 'EUR', 99, '2026-04-01', '[{"code":"number_gap"}]',
            'current'),
          (7, ${main.id}, ${file}, 2, 'intraday', 'MT942', '3', 'EUR', 1, '2026-03-30', '[]', 'current'),
          (7, ${main.id}, ${file}, 3, 'end_of_day', 'MT940', '4', 'EUR', 5, '2026-05-01', '[]', 'replaced')`
      yield* sql`insert into bank_fetcher.fetch (tenant_id, account_id, reason, state, problem, requested_by)
        values (7, ${main.id}, 'daily', 'failed', 'no answer', 'schedule')`
      yield* sql`insert into bank_fetcher.fetch_state (account_id, tenant_id, failures, since, last_problem)
        values (${main.id}, 7, 3, now(), 'no answer')`
      yield* bank.invoice(7, { number: "RE-2026-0001", amount: 10_000 })
      yield* bank.invoice(7, { number: "RE-2026-0002", amount: 3_000, due: "2999-01-01" })
      yield* bank.invoice(7, { number: "RE-2026-0003", amount: 500, currency: "USD" })
      yield* bank.book(main, { amount: 10_000, text: "RE-2026-0001", day: today })
      yield* bank.book(main, { amount: 3_000, day: "2026-03-05" })
      yield* bank.book(main, { amount: -2_050, day: today, text: "rent" })
      yield* bank.book(main, { amount: 7, day: today, status: "pending" })
      yield* bank.batch()
      const { json } = yield* bank.ask("GET", "/dashboard?days=2")
      expect(json.accounts).toHaveLength(1)
      expect(json.accounts[0]).toMatchObject({
        name: "Main",
        balance: { amount: "1234.56", on: "2026-03-31" },
        intraday: { amount: "0.99", on: "2026-04-01" },
        last_movement: today,
        unmatched: 2,
        findings: 1,
        last_fetch: { state: "failed", problem: "no answer" },
        failing: { failures: 3, problem: "no answer" }
      })
      expect([json.unmatched, json.suggested, json.findings, json.batch.state]).toEqual([1, 1, 1, "finished"])
      expect(json.currencies).toEqual([
        {
          currency: "EUR",
          unmatched: { count: 1, incoming: "0.00", outgoing: "-20.50" },
          suggested: { count: 1, incoming: "30.00", outgoing: "0.00" },
          open_invoices: { count: 1, amount: "30.00" },
          overdue_invoices: { count: 0, amount: "0.00" }
        },
        expect.objectContaining({ currency: "USD", overdue_invoices: { count: 1, amount: "5.00" } })
      ])
      expect(json.daily).toHaveLength(2)
      expect(json.daily[1]).toEqual({
        day: today,
        currency: "EUR",
        incoming: "100.00",
        outgoing: "-20.50",
        transactions: 2,
        matched: 1
      })
      const other = yield* bank.ask("GET", "/dashboard", undefined, as(8))
      expect([other.json.unmatched, other.json.accounts.length, other.json.daily.length]).toEqual([0, 1, 30])
      expect((yield* bank.ask("GET", "/dashboard?days=367")).status).toBe(422)
    })
  )
)
