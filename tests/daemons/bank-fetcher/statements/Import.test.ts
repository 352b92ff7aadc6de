import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { camt053, mt940, ownIban } from "#support/bank/StatementFiles.ts"
import { untilWithin } from "#support/Within.ts"
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

it.live(
  "a tenant that imports too much waits, and no other tenant does",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const bank = yield* startStatements()
        const refusal = ({ json, status }: { readonly status: number; readonly json: any }) => [status, json.code]
        // Two uploads that do not end. One that meets the third upload begins again.
        const ends: Array<() => void> = []
        const slowly = async (at: number): Promise<Response> => {
          const response = await fetch(`${bank.base()}/api/v1/crm/ebics/statements/import`, {
            method: "POST",
            headers: { authorization: "Bearer user:7:*", "content-type": "application/octet-stream" },
            duplex: "half",
            body: new ReadableStream({
              start: (controller) => {
                controller.enqueue(new TextEncoder().encode(camt053(day).slice(0, 900)))
                ends[at] = () => controller.close()
              }
            })
          } as RequestInit)
          return response.status === 429 ? slowly(at) : response
        }
        const slow = [slowly(0), slowly(1)]
        yield* untilWithin(
          30,
          "both uploads are under way",
          Effect.map(bank.upload(mt940(day), { tenant: 7 }), (third) => third.status === 429)
        )
        expect((yield* bank.upload(mt940({ ...day, number: 8 }), { tenant: 8 })).status).toBe(202)
        for (const end of ends) end()
        yield* Effect.promise(() => Promise.all(slow))
        expect((yield* bank.upload(mt940({ ...day, number: 9 }), { tenant: 7 })).status).toBe(202)

        // As much as the tenant may import within a day.
        yield* bank.sql`insert into bank_fetcher.raw_file (tenant_id, source, name, sha256, size, chunks)
        values (7, 'import', 'large.xml', 'a', ${4 * 1024 ** 3}, 0)`
        expect(refusal(yield* bank.upload(mt940({ ...day, number: 10 }), { tenant: 7 }))).toEqual([
          429,
          "too_many_imports"
        ])
        expect((yield* bank.upload(mt940({ ...day, number: 10 }), { tenant: 8 })).status).toBe(202)
        yield* bank.sql`insert into bank_fetcher.raw_file
            (tenant_id, source, name, sha256, size, chunks, received_at)
          values (9, 'import', 'large.xml', 'a', ${4 * 1024 ** 3}, 0, now() - interval '25 hours')`
        expect((yield* bank.upload(mt940({ ...day, number: 10 }), { tenant: 9 })).status).toBe(202)

        // As many files as the tenant may import.
        yield* bank.sql`insert into bank_fetcher.raw_file (tenant_id, source, name, sha256, size, chunks)
          select 10, 'import', 'small.xml', 'b' || n, 1, 0 from generate_series(1, 10000) n`
        expect(refusal(yield* bank.upload(mt940({ ...day, number: 11 }), { tenant: 10 }))).toEqual([
          429,
          "too_many_imports"
        ])
      })
    ),
  120_000
)
