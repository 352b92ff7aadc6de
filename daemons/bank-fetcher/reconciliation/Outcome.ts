/** Decides what happens to one unmatched transaction in an automatic run. Pure. */
import { decide } from "../matching/Matching.ts"
import type { MatchIndex } from "../matching/MatchIndex.ts"
import { autoConfidence, type OpenInvoice, type Suggestion, type Transaction } from "../matching/Model.ts"
import { type Booking, type IgnoreCode, recognise } from "./Recognition.ts"

/** What people decided about the transaction before, and undid. */
export interface Refused {
  /** Invoices of matches that were undone. */
  readonly invoices: ReadonlySet<string>
  /** An automatic ignore was undone. */
  readonly ignore: boolean
}

export const nothingRefused: Refused = { invoices: new Set(), ignore: false }

export type Outcome =
  | { readonly kind: "match"; readonly suggestion: Suggestion }
  | { readonly kind: "suggest"; readonly suggestion: Suggestion }
  | { readonly kind: "ignore"; readonly code: IgnoreCode }
  /** A returned payment; which one is looked up. */
  | { readonly kind: "return" }
  | { readonly kind: "none" }

/** Highest confidence of a suggestion that a person has undone before. Unit: percent. */
const refusedConfidence = autoConfidence - 1

/** Suggestions in order, with those that a person undid below the confidence of automatic matches. */
export const withRefused = (suggestions: ReadonlyArray<Suggestion>, { invoices }: Refused): ReadonlyArray<Suggestion> =>
  invoices.size === 0
    ? suggestions
    : suggestions.map((suggestion) =>
        suggestion.allocations.some(({ invoice }) => invoices.has(invoice.id))
          ? {
              ...suggestion,
              confidence: Math.min(suggestion.confidence, refusedConfidence),
              reasons: [...suggestion.reasons, { code: "undone_before" } as const]
            }
          : suggestion
      )

export const outcomeOf = (
  transaction: Transaction & Booking,
  index: MatchIndex,
  ownIbans: ReadonlySet<string>,
  refused: Refused = nothingRefused
): Outcome => {
  const recognised = recognise(transaction, ownIbans)
  if (recognised === "return") return { kind: "return" }
  if (recognised !== undefined && !refused.ignore) return { kind: "ignore", code: recognised }
  // A person undid the ignore, so a person decides about invoices too.
  const { outcome, suggestions } = decide(transaction, index, 1)
  const [best] = withRefused(suggestions, refused)
  if (best === undefined) return { kind: "none" }
  return outcome === "auto" && recognised === undefined && best.confidence >= autoConfidence
    ? { kind: "match", suggestion: best }
    : { kind: "suggest", suggestion: best }
}

/** Records in the index what a match settles, for the transactions that are decided after it. */
export const settleIn = (index: MatchIndex, allocations: ReadonlyArray<{ invoice: OpenInvoice; amount: number }>) => {
  for (const { amount, invoice } of allocations) index.settle(invoice, amount)
}
