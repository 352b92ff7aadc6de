/** A transaction split over several invoices. Amounts in minor units. Pure. */
import { decimalOf, minorOf, typedMinor } from "../Amounts.ts"

/** An invoice as far as the split needs it. `open`: decimal text, negative for a credit note. */
export interface SplitInvoice {
  readonly id: string
  readonly number: string
  readonly open: string
  readonly currency: string
}

export interface Part {
  readonly key: number
  readonly invoice: SplitInvoice | undefined
  /** As typed. */
  readonly amount: string
}

export interface Split {
  /** Decimal text; negative for money that went out. */
  readonly amount: string
  readonly currency: string
  readonly parts: ReadonlyArray<Part>
}

/** Amount of a part with the sign of its invoice, so that people need not type a sign; undefined when unusable. */
export const partMinor = ({ amount, invoice }: Part): number | undefined => {
  if (invoice === undefined) return undefined
  const typed = typedMinor(amount, invoice.currency)
  if (typed === undefined || typed === 0) return undefined
  return minorOf(invoice.open, invoice.currency) < 0 ? -Math.abs(typed) : Math.abs(typed)
}

/** Part of the transaction that no invoice takes; undefined while an amount is unusable, or in another currency. */
export const restOf = ({ amount, currency, parts }: Split): number | undefined => {
  let rest = minorOf(amount, currency)
  for (const part of parts) {
    const minor = partMinor(part)
    if (minor === undefined || part.invoice?.currency !== currency) return undefined
    rest -= minor
  }
  return rest
}

export type SplitProblem = "no_part" | "no_invoice" | "twice" | "bad_amount" | "more_than_open" | "too_much" | "mixed"

/** First problem that keeps the split from being sent; undefined when there is none. */
export const problemOf = (split: Split): SplitProblem | undefined => {
  const { currency, parts } = split
  if (parts.length === 0) return "no_part"
  if (parts.some(({ invoice }) => invoice === undefined)) return "no_invoice"
  const invoices = parts.map(({ invoice }) => invoice!)
  if (new Set(invoices.map(({ id }) => id)).size < invoices.length) return "twice"
  if (new Set(invoices.map((invoice) => invoice.currency)).size > 1) return "mixed"
  if (parts.some((part) => partMinor(part) === undefined)) return "bad_amount"
  if (parts.some((part) => Math.abs(partMinor(part)!) > Math.abs(minorOf(part.invoice!.open, part.invoice!.currency))))
    return "more_than_open"
  const rest = restOf(split)
  return rest !== undefined && rest * minorOf(split.amount, currency) < 0 ? "too_much" : undefined
}

/** Whether the invoices are in another currency than the transaction, which a person confirms. */
export const isForeign = ({ currency, parts }: Split): boolean =>
  parts.some(({ invoice }) => invoice !== undefined && invoice.currency !== currency)

/** Amount that fits for a newly chosen invoice: what is open, at most the rest. Text for the field. */
export const proposal = (invoice: SplitInvoice, rest: number | undefined, currency: string): string => {
  const open = minorOf(invoice.open, invoice.currency)
  const isOffset = rest === undefined || invoice.currency !== currency || rest === 0 || open > 0 !== rest > 0
  const minor = isOffset ? Math.abs(open) : Math.min(Math.abs(open), Math.abs(rest))
  return decimalOf(minor, invoice.currency)
}

/** The allocations of the request. */
export const allocationsOf = ({ parts }: Split) =>
  parts.map((part) => ({ invoice_id: part.invoice!.id, amount: decimalOf(partMinor(part)!, part.invoice!.currency) }))
