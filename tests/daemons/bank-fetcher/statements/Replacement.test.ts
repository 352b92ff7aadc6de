import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { camt052, camt053 } from "#support/bank/StatementFiles.ts"
import { untilWithin } from "#support/Within.ts"
import { startStatements } from "./StatementSuite.ts"

const day = "2026-01-06"
const one = { amount: "250.50", text: "RE-1", reference: "B-1", iban: "DE02120300000000202051" }
const twin = { amount: "250.50", text: "RE-1", reference: "B-2", iban: "DE02120300000000202051" }
const pending = { amount: "-40.00", text: "Karte", status: "PDNG" as const }

type Bank = Effect.Success<ReturnType<typeof startStatements>>

/** Decides about the transaction and pays by it, as reconciliation does. */
const match = (bank: Bank, id: string) =>
  Effect.gen(function* () {
    const { sql } = bank
    const [payment] = yield* sql<{ id: string }>`insert into bank_fetcher.payment
        (tenant_id, source, transaction_id, amount, currency, paid_on)
      values (1, 'bank', ${id}, 25050, 'EUR', ${day}::text::date) returning id`
    yield* sql`insert into bank_fetcher.decision (tenant_id, transaction_id, kind, payment_id, before, decided_by)
      values (1, ${id}, 'auto', ${payment!.id}, '{}', 'system')`
    yield* sql`update bank_fetcher.transaction set reconciliation_status = 'auto_matched', matched = 25050
      where id = ${id}`
    return payment!.id
  })

/** Current transactions: amount, text, status and matched part. */
const current = (bank: Bank) =>
  Effect.map(bank.items("/transactions"), (items) =>
    items.map((row) => `${row.amount} ${row.bank_reference} ${row.booking_status} ${row.reconciliation_status}`)
  )

const holders = (bank: Bank) => bank.sql<{ reference: string; current: boolean; payments: number }>`
  select t.bank_reference as reference, t.current, count(*)::int as payments
  from bank_fetcher.payment p join bank_fetcher.decision d on d.payment_id = p.id
    join bank_fetcher.transaction t on t.id = p.transaction_id and t.id = d.transaction_id
  group by 1, 2`

it.live("reports of a day are replaced as a whole, and a payment moves with its booking", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startStatements()
      yield* bank.account()
      const at = (hour: string) => `${day}T${hour}:00:00+01:00`
      yield* bank.imported(camt052({ day, created: at("09"), bookings: [one, pending] }))
      const [, booked] = yield* bank.items("/transactions")
      const payment = yield* match(bank, booked.id)
      // The second twin must not take the payment of the first.
      yield* bank.imported(camt052({ day, created: at("12"), bookings: [one, twin, pending] }))
      expect(yield* current(bank)).toEqual([
        "-40.00 null pending unmatched",
        "250.50 B-2 booked unmatched",
        "250.50 B-1 booked auto_matched"
      ])
      expect(yield* holders(bank)).toEqual([{ reference: "B-1", current: true, payments: 1 }])
      const [late] = yield* bank.imported(camt052({ day, created: at("10"), bookings: [one] }))
      expect(late).toMatchObject({ state: "parsed", statements: 1 })
      expect(yield* current(bank)).toHaveLength(3)

      yield* bank.imported(camt053({ day, number: 4, opening: "0.00", bookings: [twin, one] }))
      expect(yield* current(bank)).toEqual(["250.50 B-1 booked auto_matched", "250.50 B-2 booked unmatched"])
      expect(yield* holders(bank)).toEqual([{ reference: "B-1", current: true, payments: 1 }])
      const [row] = yield* bank.items("/transactions?status=auto_matched")
      expect(row).toMatchObject({ matched: "250.50", version: 2 })
      const old = yield* bank.get(`/transactions/${booked.id}`)
      expect(old.json).toMatchObject({ current: false, reconciliation_status: "unmatched", matched: "0.00" })
      const all = yield* bank.items("/statements")
      expect(all.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
        "end_of_day current",
        "intraday replaced",
        "intraday replaced",
        "intraday replaced"
      ])
      // All files stay.
      expect(yield* bank.items("/files")).toHaveLength(4)
      // A report that comes after the statement changes nothing.
      yield* bank.imported(camt052({ day, created: at("22"), bookings: [one, twin, pending] }))
      expect(yield* current(bank)).toHaveLength(2)
      expect((yield* bank.sql`select 1 from bank_fetcher.payment`).length).toBe(1)
      expect(payment).toBeDefined()
    })
  )
)

it.live("a matched booking that vanishes is a finding until it comes back", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startStatements()
      yield* bank.account()
      yield* bank.imported(camt052({ day, bookings: [one] }))
      const [booked] = yield* bank.items("/transactions")
      yield* match(bank, booked.id)
      yield* bank.imported(camt053({ day, number: 4, bookings: [{ amount: "1.00", reference: "B-9" }] }))
      const [statement] = yield* bank.items("/statements?findings=true")
      expect(statement.findings).toEqual([
        {
          code: "matched_booking_vanished",
          values: { transaction: booked.id, amount: "250.50", currency: "EUR", booked_on: day },
          message:
            "A matched booking of 250.50 EUR on 2026-01-06 is not in this statement. Its payment stays until a person " +
            "undoes it."
        }
      ])
      // The payment stays where it is, and is counted once.
      expect(yield* holders(bank)).toEqual([{ reference: "B-1", current: false, payments: 1 }])
      yield* bank.imported(
        camt053({ day: "2026-01-07", number: 5, opening: "1.00", bookings: [{ ...one, on: "2026-01-07" }] })
      )
      expect(yield* current(bank)).toEqual(["250.50 B-1 booked auto_matched", "1.00 B-9 booked unmatched"])
      expect(yield* holders(bank)).toEqual([{ reference: "B-1", current: true, payments: 1 }])
      // The upkeep clears the finding in its next round, which a new account wakes.
      yield* bank.account("DE02500105170137075030")
      yield* untilWithin(
        60,
        "the finding is gone",
        Effect.map(bank.items("/statements?findings=true"), ({ length }) => length === 0)
      )
    })
  )
)

it.live("a statement that comes late clears the gap, and a later account gets its statements", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startStatements()
      const first = { day: "2026-01-05", number: 1, opening: "0.00", bookings: [{ amount: "10.00" }] }
      const second = { day: "2026-01-06", number: 2, opening: "10.00", bookings: [{ amount: "5.00" }] }
      const third = { day: "2026-01-07", number: 3, opening: "15.00", bookings: [{ amount: "1.00" }] }
      yield* bank.imported(camt053(first, third))
      const codes = Effect.map(bank.items("/statements"), (all) =>
        all.map(({ findings, number }) => [number, ...findings.map(({ code }: any) => code)])
      )
      expect(yield* codes).toEqual([
        [3, "unknown_account", "number_gap"],
        [1, "unknown_account"]
      ])
      expect(yield* bank.sql`select 1 from core.event where type = 'bank.statement.imported'`).toEqual([])
      yield* bank.imported(camt053(second))
      expect(yield* codes).toEqual([
        [2, "unknown_account"],
        [3, "unknown_account"],
        [1, "unknown_account"]
      ])
      const account = yield* bank.account()
      yield* untilWithin(
        60,
        "the account has its statements",
        Effect.map(bank.items(`/statements?account=${account}`), ({ length }) => length === 3)
      )
      expect(yield* codes).toEqual([[2], [3], [1]])
      expect(yield* bank.items(`/transactions?account=${account}`)).toHaveLength(3)
      expect(yield* bank.sql`select 1 from core.event where type = 'bank.statement.imported'`).toHaveLength(3)
      // A deactivated account keeps its statements, and new ones belong to it.
      yield* bank.sql`update bank_fetcher.account set active = false where id = ${account}`
      yield* bank.imported(camt053({ day: "2026-01-08", number: 4, opening: "16.00", bookings: [] }))
      expect(yield* bank.items(`/statements?account=${account}`)).toHaveLength(4)
    })
  )
)
