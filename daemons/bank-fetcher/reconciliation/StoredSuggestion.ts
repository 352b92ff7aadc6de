/** The best suggestion of a transaction, as its row keeps it for lists. Amounts are decimal texts. */
import { isDeepStrictEqual } from "node:util"
import { decimalOf } from "../bank-store/Money.ts"
import type { Suggestion } from "../matching/Model.ts"
import { stored, type StoredReason } from "./ReasonText.ts"

export interface StoredSuggestion {
  /** Unit: percent. */
  readonly confidence: number
  readonly strategies: ReadonlyArray<string>
  readonly reasons: ReadonlyArray<StoredReason>
  readonly allocations: ReadonlyArray<{ readonly invoice_id: string; readonly number: string; readonly amount: string }>
}

export const storedSuggestion = (suggestion: Suggestion, currency: string): StoredSuggestion => ({
  confidence: suggestion.confidence,
  strategies: suggestion.strategies,
  reasons: suggestion.reasons.map((reason) => stored(reason, currency)),
  allocations: suggestion.allocations.map(({ amount, invoice }) => ({
    invoice_id: invoice.id,
    number: invoice.number,
    amount: decimalOf(amount, invoice.currency)
  }))
})

export const isSame = (left: StoredSuggestion | null, right: StoredSuggestion | null): boolean =>
  isDeepStrictEqual(left, right)
