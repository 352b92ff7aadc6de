/** What happens by itself: matching after an import and after an invoice, and a match that follows its booking. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { camt052, camt053 } from "#support/bank/StatementFiles.ts"
import { untilWithin } from "#support/Within.ts"
import { startStatements } from "../statements/StatementSuite.ts"

const day = "2026-01-06"
const booking = { amount: "250.50", text: "RE-2026-0042", reference: "B-1", endToEndId: "E-1" }

it.live("a booking waits for its invoice, is matched once, and its match moves to the day's statement", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startStatements()
      const headers = { "x-service-token": yield* bank.token }
      yield* bank.account()
      const created = `${day}T09:00:00+01:00`
      yield* bank.imported(camt052({ day, created, bookings: [booking] }))
      const current = Effect.map(bank.items("/transactions"), (items) => items[0]!)
      const isStatus = (status: string) =>
        untilWithin(
          20,
          `the transaction is ${status}`,
          Effect.map(current, (row) => row.reconciliation_status === status)
        )
      expect((yield* current).reconciliation_status).toBe("unmatched")
      // The invoice comes 20 days after the money.
      const made = yield* bank.call("POST", "/api/v1/crm/invoices", {
        headers,
        body: { number: "RE-2026-0042", amount: "250.50", issued_on: "2026-01-26" }
      })
      expect(made.status).toBe(201)
      yield* isStatus("auto_matched")
      const early = yield* current

      yield* bank.imported(camt053({ day, number: 4, opening: "0.00", bookings: [booking] }))
      const late = yield* current
      expect([late.reconciliation_status, late.matched, late.id === early.id]).toEqual([
        "auto_matched",
        "250.50",
        false
      ])
      const payments = yield* bank.sql<any>`select transaction_id, state from bank_fetcher.payment`
      expect(payments).toEqual([{ transaction_id: late.id, state: "active" }])
      const paid = yield* bank.sql<any>`select count(*)::int as count from core.event where type = 'payment.received'`
      expect(paid[0].count).toBe(1)

      // The old row is no longer there to decide about, and undo works on the new one.
      const path = (id: string) => `/api/v1/crm/ebics/transactions/${id}/undo`
      const replaced = yield* bank.call("POST", path(early.id), { headers })
      expect([replaced.status, replaced.json.reason]).toEqual([409, "replaced"])
      const undone = yield* bank.call("POST", path(late.id), { headers })
      expect(undone.json).toMatchObject({ matched: "0.00", reconciliation_status: "unmatched" })
      const invoices = yield* bank.sql<any>`select settled::float8 as settled, status from bank_fetcher.invoice`
      expect(invoices).toEqual([{ settled: 0, status: "open" }])
    })
  )
)

it.live("a suggestion ends with its invoice, whether it is cancelled or deleted", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startStatements()
      const headers = { "x-service-token": yield* bank.token }
      yield* bank.account()
      yield* bank.imported(
        camt053({ day, number: 4, opening: "0.00", bookings: [{ amount: "250.50", text: "Danke" }] })
      )
      const suggested = Effect.map(bank.items("/transactions"), ([row]) => [
        row!.reconciliation_status,
        row!.suggestion?.allocations[0].number
      ])
      const isNow = (status: string, number: string | undefined) =>
        untilWithin(
          20,
          `the transaction is ${status} with ${number}`,
          Effect.map(suggested, (now) => now[0] === status && now[1] === number)
        )
      for (const [number, method, path] of [
        ["RE-1", "POST", "/cancel"],
        ["RE-2", "DELETE", ""]
      ] as const) {
        const body = { number, amount: "250.50", issued_on: day }
        const { json } = yield* bank.call("POST", "/api/v1/crm/invoices", { headers, body })
        yield* isNow("suggested", number)
        yield* bank.call(method, `/api/v1/crm/invoices/${json.id}${path}`, { headers })
        yield* isNow("unmatched", undefined)
      }
    })
  )
)
