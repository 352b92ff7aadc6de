/**
 * `npm run bench -- bank`: the parser of camt (CamtParsing.ts), and decisions about payments, in memory. Their floor reads the same texts with one regular
 * expression and looks each number up in a Map, which finds undamaged numbers only.
 */
import { Effect } from "effect"
import { decide } from "#daemons/bank-fetcher/matching/Matching.ts"
import * as MatchIndex from "#daemons/bank-fetcher/matching/MatchIndex.ts"
import { labelledPayments, tuningSeed } from "#support/bank/LabelledPayments.ts"
import { type Figure, figure, median } from "../Figure.ts"
import { camtFigures } from "./CamtParsing.ts"

/** Measured rounds, of which the median counts. */
const rounds = 7

/** Time of one call. Unit: microseconds for each of `count`. */
const timed = (count: number, work: () => unknown): number => {
  const times: Array<number> = []
  for (let round = 0; round <= rounds; round++) {
    const from = performance.now()
    work()
    if (round > 0) times.push(((performance.now() - from) * 1_000) / count)
  }
  return median(times)
}

const measured = (count: number) => {
  const { invoices, payers, payments } = labelledPayments(tuningSeed, count)
  const index = MatchIndex.make(invoices, payers)
  const byNumber = new Map(invoices.map((invoice) => [invoice.number, invoice]))
  const number = /RE-\d{4}-\d{5,}/g
  const ours = timed(count, () => payments.map(({ transaction }) => decide(transaction, index).outcome))
  const floor = timed(count, () =>
    payments.map(({ transaction }) => (transaction.text.match(number) ?? []).map((found) => byNumber.get(found)))
  )
  return { ours, floor }
}

export const run = (): Promise<ReadonlyArray<Figure>> =>
  Effect.runPromise(
    Effect.sync(() => {
      const parsing = camtFigures()
      const small = measured(1_000)
      const large = measured(100_000)
      return [
        ...parsing,
        figure("decision of one transaction, 100,000 against 100,000", large.ours, "µs", { floor: large.floor }),
        figure("ratio of that to one regex pass and a look-up", large.ours / large.floor, "", { target: 5 }),
        figure("ratio of a decision at 100,000 to one at 1,000", large.ours / small.ours, "", { target: 1.5 })
      ]
    })
  )
