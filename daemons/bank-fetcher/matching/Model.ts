/** Values that matching reads and returns. Amounts are integers in the currency's smallest unit, such as cents. */

/** One transaction of a statement. */
export interface Transaction {
  /** Positive: money that came in. Negative: money that went out. */
  readonly amount: number
  /** ISO 4217. */
  readonly currency: string
  /** Day of the booking, ISO 8601. */
  readonly bookedOn: string
  /** Payment reference, as the bank sent it. */
  readonly text: string
  readonly endToEndId: string | null
  /** Structured creditor reference. Source: ISO 11649. */
  readonly creditorReference: string | null
  readonly counterIban: string | null
  readonly counterName: string | null
}

/** Reduced amount for payment by a certain day. */
export interface CashDiscount {
  /** Last day of the reduced amount, ISO 8601. */
  readonly until: string
  /** How much less is due. */
  readonly amount: number
}

/** An invoice with an open amount. Credit notes have a negative open amount. */
export interface OpenInvoice {
  readonly id: string
  /** Invoice number, as printed on the invoice. */
  readonly number: string
  readonly customerId: number | null
  readonly open: number
  readonly currency: string
  /** Days, ISO 8601. */
  readonly issuedOn: string
  readonly dueOn: string
  readonly discount: CashDiscount | null
}

/** A customer as far as matching needs it. */
export interface Payer {
  readonly customerId: number
  readonly name: string
  readonly ibans: ReadonlyArray<string>
}

/** Strategies with the confidence of each alone. Unit: percent. Source: interface document 2 §2.6. */
export const confidences = { reference: 100, amount_date: 70, counter_iban: 60, fuzzy: 40 } as const
export type Strategy = keyof typeof confidences

/** Confidence from which a unique match needs no person. Unit: percent. Source: interface document 2 §8. */
export const autoConfidence = 85

/** Why an invoice is suggested, or why a person must decide. */
export type Reason =
  | { readonly code: "number"; readonly number: string }
  | { readonly code: "number_damaged"; readonly number: string }
  | { readonly code: "amount" }
  | { readonly code: "amount_less_discount"; readonly until: string }
  | { readonly code: "amount_of_all"; readonly count: number }
  | { readonly code: "amount_less"; readonly rest: number }
  | { readonly code: "amount_more"; readonly rest: number }
  | { readonly code: "due"; readonly days: number }
  | { readonly code: "counter_iban" }
  | { readonly code: "name" }
  | { readonly code: "other_currency" }
  | { readonly code: "iban_of_other_customer" }
  | { readonly code: "similar_number"; readonly number: string }
  | { readonly code: "not_unique" }
  /** A person undid this match. */
  | { readonly code: "undone_before" }

/** Part of a transaction that settles an invoice. */
export interface Allocation {
  readonly invoice: OpenInvoice
  readonly amount: number
}

export interface Suggestion {
  readonly allocations: ReadonlyArray<Allocation>
  /** Unit: percent. */
  readonly confidence: number
  readonly strategies: ReadonlyArray<Strategy>
  readonly reasons: ReadonlyArray<Reason>
}

/** `auto`: the first suggestion is the match. `suggested`: a person decides. `none`: no invoice fits. */
export interface Decision {
  readonly outcome: "auto" | "suggested" | "none"
  /** Best first. */
  readonly suggestions: ReadonlyArray<Suggestion>
}
