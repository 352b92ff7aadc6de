/** Shares of right decisions over the labelled set that no rule was tuned with. Its rules: LabelledPayments.ts. */
import { expect, it } from "vitest"
import { decide } from "#daemons/bank-fetcher/matching/Matching.ts"
import { make } from "#daemons/bank-fetcher/matching/MatchIndex.ts"
import { labelledPayments, reportedSeed } from "#support/bank/LabelledPayments.ts"

it("matches by itself only what is right, and nearly all that is intact", () => {
  const { invoices, payers, payments } = labelledPayments(reportedSeed, 14_000)
  const index = make(invoices, payers)
  const count = { auto: 0, right: 0, intact: 0, intactRight: 0, others: 0, suggested: 0, damaged: 0 }
  for (const { damage, isIntact, pays, transaction } of payments) {
    const { outcome, suggestions } = decide(transaction, index)
    const [first] = suggestions
    const isRight =
      outcome === "auto" &&
      first!.allocations.length === pays.size &&
      first!.allocations.every(({ invoice }) => pays.has(invoice.id))
    if (outcome === "auto") count.auto++
    if (isRight) count.right++
    if (damage !== "none") count.damaged++
    if (pays.size === 0) continue
    if (isIntact) {
      count.intact++
      if (isRight) count.intactRight++
    } else {
      count.others++
      if (suggestions.slice(0, 3).some(({ allocations }) => allocations.some(({ invoice }) => pays.has(invoice.id))))
        count.suggested++
    }
  }
  const told = JSON.stringify(count)
  expect(count.auto, told).toBeGreaterThanOrEqual(10_000)
  expect(count.right / count.auto, told).toBeGreaterThanOrEqual(0.999)
  expect(count.intactRight / count.intact, told).toBeGreaterThanOrEqual(0.95)
  expect(count.suggested / count.others, told).toBeGreaterThanOrEqual(0.95)
  expect(count.damaged / payments.length, told).toBeGreaterThanOrEqual(0.3)
})
