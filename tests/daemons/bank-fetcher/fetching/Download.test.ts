/** Fetches on request against the bank double, in both versions of the protocol. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { as, startBank, startFetching } from "./Fetching.ts"

const camt = (text: string) =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<Document><!-- ${text} --></Document>`)

describe("a requested fetch", () => {
  it.live("stores the files, confirms them, and is empty when the bank has nothing new", () =>
    Effect.gen(function* () {
      const place = yield* startFetching()
      for (const version of ["H004", "H005"] as const) {
        const to = yield* startBank({ segments: 3 })
        const account = yield* place.account(to, { version })
        to.bank.offer("C53", camt(`one ${version}`))
        const asked = yield* place.request(account)
        expect(asked.status, asked.text).toBe(202)
        const done = yield* place.reached(asked.json.id, 1, "done")
        expect(done).toMatchObject({ attempts: 1, problem: null, reason: "manual" })
        expect(
          done.orders.map(({ confirmed, files, new_files, order_type, segments, state }) => [
            order_type,
            state,
            segments,
            files,
            new_files,
            confirmed
          ])
        ).toEqual([
          ["C53", "done", 3, 1, 1, true],
          ["C52", "empty", null, 0, 0, null]
        ])
        expect(to.bank.receipts).toEqual([{ order: "C53", code: "0" }])
        const again = yield* place.request(account)
        expect((yield* place.reached(again.json.id, 1, "empty")).attempts).toBe(1)
      }
      const files = yield* place.sql`select order_type, size from bank_fetcher.raw_file order by seq`
      expect(files).toHaveLength(2)
      // Of another tenant.
      const [fetch] = yield* place.fetches(1)
      expect((yield* place.call("GET", `/api/v1/crm/ebics/fetches/${fetch!.id}`, as(2))).status).toBe(404)
      expect(yield* place.fetches(2)).toEqual([])
    }).pipe(Effect.scoped)
  )
})
