/**
 * `npm run bench -- bank`: the parser of camt (CamtParsing.ts), decisions about payments in memory, and a batch with
 * its writes (Batch.ts). The floor of the decisions reads the same texts with one regular expression and looks each
 * number up in a Map, which finds undamaged numbers only. A decision answers the outcome and the best suggestion, as a
 * batch reads them.
 */
import { decide } from "#daemons/bank-fetcher/matching/Matching.ts"
import * as MatchIndex from "#daemons/bank-fetcher/matching/MatchIndex.ts"
import { labelledPayments, tuningSeed } from "#support/bank/LabelledPayments.ts"
import { type Figure, figure, median } from "../Figure.ts"
import { batchFigures } from "./Batch.ts"
import { camtFigures } from "./CamtParsing.ts"

/** Measured rounds, of which the median counts. */
const rounds = 7

/** Processor time of one call. Unit: microseconds. */
const timed = (work: () => unknown): number => {
  const from = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(from)
  return user + system
}

/** Times of ours and of the floor, measured in turns. Unit: microseconds for each transaction. */
const measured = (count: number) => {
  const { invoices, payers, payments } = labelledPayments(tuningSeed, count)
  const index = MatchIndex.make(invoices, payers)
  const byNumber = new Map(invoices.map((invoice) => [invoice.number, invoice]))
  const number = /RE-\d{4}-\d{5,}/g
  const decideAll = () => payments.map(({ transaction }) => decide(transaction, index, 1).outcome)
  const lookUpAll = () =>
    payments.map(({ transaction }) => (transaction.text.match(number) ?? []).map((found) => byNumber.get(found)))
  const ours: Array<number> = []
  const floor: Array<number> = []
  for (let round = 0; round <= rounds; round++) {
    const times = [timed(decideAll), timed(lookUpAll)] as const
    if (round === 0) continue
    ours.push(times[0] / count)
    floor.push(times[1] / count)
  }
  return { ours: median(ours), floor: median(floor) }
}

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  const parsing = camtFigures()
  const small = measured(1_000)
  const large = measured(100_000)
  return [
    ...parsing,
    figure("decision of one transaction, 100,000 against 100,000", large.ours, "µs", { floor: large.floor }),
    figure("ratio of that to one regex pass and a look-up", large.ours / large.floor, "", { target: 5 }),
    figure("ratio of a decision at 100,000 to one at 1,000", large.ours / small.ours, "", { target: 1.5 }),
    ...(await batchFigures())
  ]
}
