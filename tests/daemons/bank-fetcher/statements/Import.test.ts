import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { camt053, mt940, ownIban } from "#support/bank/StatementFiles.ts"
import { startStatements } from "./StatementSuite.ts"

const bookings = [
  {
    amount: "250.50",
    text: "Rechnung RE-2026-0042",
    endToEndId: "E-1",
    reference: "B-1",
    iban: "DE02120300000000202051",
    name: "Müller & Söhne"
  },
  { amount: "-12.00", text: "=Gebühr", reference: "B-2" }
]

const day = { day: "2026-01-06", number: 7, opening: "100.00", bookings }

it.live("a file becomes a statement with its transactions, once", () =>
  Effect.scoped(
    Effect.gen(function* () {
      const bank = yield* startStatements()
      const account = yield* bank.account()
      const [file] = yield* bank.imported(camt053(day), { query: "name=../C53%20Januar.xml" })
      expect(file).toMatchObject({
        state: "parsed",
        problem: null,
        name: "C53 Januar.xml",
        statements: 1,
        known_statements: 0,
        duplicate: false
      })
      const [statement] = yield* bank.items("/statements")
      expect(statement).toMatchObject({
        account_id: account,
        kind: "end_of_day",
        format: "camt.053.001.08",
        number: 7,
        iban: ownIban,
        opening: "100.00",
        closing: "338.50",
        transactions: 2,
        state: "current",
        findings: []
      })
      const transactions = yield* bank.items("/transactions")
      expect(transactions).toEqual([
        expect.objectContaining({ amount: "-12.00", text: "=Gebühr", bank_reference: "B-2" }),
        expect.objectContaining({
          account_id: account,
          statement_id: statement.id,
          amount: "250.50",
          matched: "0.00",
          currency: "EUR",
          booking_status: "booked",
          booked_on: "2026-01-06",
          text: "Rechnung RE-2026-0042",
          end_to_end_id: "E-1",
          bank_reference: "B-1",
          counter_iban: "DE02120300000000202051",
          counter_name: "Müller & Söhne",
          gvc: "166",
          reconciliation_status: "unmatched",
          current: true
        })
      ])
      const again = yield* bank.upload(camt053(day))
      expect(again.json.files).toEqual([{ duplicate: true, file: expect.objectContaining({ id: file.id }) }])
      expect(yield* bank.items("/statements")).toHaveLength(1)
      // The same day as MT940 says less, so it is not stored again.
      const [other] = yield* bank.imported(mt940(day))
      expect(other).toMatchObject({ state: "parsed", statements: 0, known_statements: 1 })
      expect(yield* bank.items("/transactions")).toHaveLength(2)
      const events = yield* bank.sql<{ data: any }>`select data from core.event where type = 'bank.statement.imported'`
      expect(events.map(({ data }) => data)).toEqual([
        expect.objectContaining({ statement_id: statement.id, account_id: account, transactions: 2, findings: 0 })
      ])
      const jobs = yield* bank.sql<{ data: any }>`select data from pgboss.job where name = 'bank.reconcile'`
      expect(jobs.map(({ data }) => data)).toEqual([{ tenant_id: 1, batch_id: null }])
    })
  )
)
