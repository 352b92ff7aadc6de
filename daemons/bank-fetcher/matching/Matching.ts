/**
 * Decides which invoices a transaction settles. Pure. Strategies and confidences: interface document 2 §2.6.
 *
 * Strategies that agree on an invoice prove more than one alone: their confidences combine as the chance that not all
 * are wrong, `1 - (1 - a) (1 - b)`. Amount and date with the customer's IBAN have 88 percent, and are a match without a
 * person. Amount and date with a damaged number have 82 percent, and are a suggestion.
 */
import type { MatchIndex, Senders } from "./MatchIndex.ts"
import {
  autoConfidence,
  confidences,
  type Decision,
  type OpenInvoice,
  type Reason,
  type Strategy,
  type Suggestion,
  type Transaction
} from "./Model.ts"
import { allocate, byReference, fitsSign, pays } from "./Referenced.ts"

/** Candidates after which no further customer is looked at. Reason: a name or an IBAN of so many proves nothing. */
const maxCandidates = 200

/** Most suggestions of one transaction. Reason: a person reads a few. */
export const maxSuggestions = 10

/** Confidence of an open invoice of the sender when nothing else speaks for it. Unit: percent; below all strategies. */
export const senderConfidence = 20

/** Days around an invoice's dates in which a payment is expected: before it was issued, and after it was due. */
export const dueWindow = { before: 3, after: 30 } as const

/** Confidence of a match that strategies prove but something contradicts. Unit: percent. */
const doubtful = autoConfidence - 1

const day = 86_400_000
const dayOf = (date: string) => Date.parse(date) / day

/** Combined confidence of independent strategies. Unit: percent, rounded. */
export const combined = (strategies: ReadonlyArray<Strategy>): number =>
  Math.round(100 * (1 - strategies.reduce((doubt, strategy) => doubt * (1 - confidences[strategy] / 100), 1)))

/** Days until the invoice is due, negative when overdue; undefined outside the window. */
export const dueIn = ({ dueOn, issuedOn }: OpenInvoice, bookedOn: string): number | undefined => {
  const booked = dayOf(bookedOn)
  const due = dayOf(dueOn)
  return booked < dayOf(issuedOn) - dueWindow.before || booked > due + dueWindow.after ? undefined : due - booked
}

/** Bits of the strategies that speak for an invoice. */
const bits = { amount_date: 1, counter_iban: 2, fuzzy: 4 } as const

/** Strategies and confidence by the sum of their bits. */
const byBits = Array.from({ length: 8 }, (_, sum) => {
  const strategies = (["amount_date", "counter_iban", "fuzzy"] as const).filter((one) => (sum & bits[one]) !== 0)
  return { strategies, confidence: strategies.length === 0 ? senderConfidence : combined(strategies) }
})

/** How an invoice became a candidate: its number is damaged in the text, or only its end is there. */
const near = 1
const tail = 2

/** A candidate with what speaks for it. */
interface Weighed {
  readonly invoice: OpenInvoice
  /** Sum of `bits`. */
  readonly sum: number
  readonly isExact: boolean
  readonly due: number | undefined
  readonly isOwner: boolean
  readonly hasName: boolean
  /** Order: by confidence, then by the sender and by how much of the number is there. */
  readonly rank: number
}

const weigh = (
  invoice: OpenInvoice,
  how: number,
  transaction: Transaction,
  { namesakes, owners }: Senders
): Weighed | undefined => {
  if (!fitsSign(invoice, transaction)) return undefined
  const { customerId } = invoice
  const isExact = pays(invoice, transaction)
  const isOwner = customerId !== null && owners.has(customerId)
  const hasName = customerId !== null && namesakes.has(customerId)
  if (how === 0 && !isExact && !isOwner && !hasName) return undefined
  const due = isExact ? dueIn(invoice, transaction.bookedOn) : undefined
  const sum =
    (due === undefined ? 0 : bits.amount_date) +
    (isExact && isOwner ? bits.counter_iban : 0) +
    (how === 0 ? 0 : bits.fuzzy)
  if (sum === 0 && !isOwner && !hasName) return undefined
  const rank = byBits[sum]!.confidence * 10 + (hasName ? 3 : 0) + (isOwner ? 4 : 0) + ((how & near) === 0 ? 0 : 2)
  return { invoice, sum, isExact, due, isOwner, hasName, rank }
}

const explain = ({ due, hasName, invoice, isExact, isOwner, sum }: Weighed, transaction: Transaction): Suggestion => {
  const { discount } = invoice
  const reasons: ReadonlyArray<Reason> = [
    ...((sum & bits.fuzzy) === 0 ? [] : [{ code: "number_damaged", number: invoice.number } as const]),
    ...(!isExact
      ? []
      : discount !== null && invoice.open !== transaction.amount
        ? [{ code: "amount_less_discount", until: discount.until } as const]
        : [{ code: "amount" } as const]),
    ...(due === undefined ? [] : [{ code: "due", days: due } as const]),
    ...(isOwner ? [{ code: "counter_iban" } as const] : []),
    ...(hasName ? [{ code: "name" } as const] : []),
    ...(invoice.currency === transaction.currency ? [] : [{ code: "other_currency" } as const])
  ]
  return { allocations: [allocate(invoice, transaction)], ...byBits[sum]!, reasons }
}

/** True when nothing else could be meant: no further invoice of the payer, or of equal confidence, has the amount. */
const isUnique = (best: Weighed, others: ReadonlyArray<Weighed>) => {
  const { confidence } = byBits[best.sum]!
  return !others.some(
    (other) =>
      other !== best &&
      (byBits[other.sum]!.confidence >= confidence || (other.isExact && (other.sum & bits.counter_iban) !== 0))
  )
}

/** Invoices that anything could speak for, with how they were found. */
const candidatesOf = (transaction: Transaction, index: MatchIndex, { namesakes, owners }: Senders) => {
  const { amount, currency, endToEndId, text } = transaction
  const texts = endToEndId === null ? text : `${text} ${endToEndId}`
  const candidates = new Map<OpenInvoice, number>()
  for (const invoice of index.numbers.near(texts)) candidates.set(invoice, near)
  for (const invoice of index.ofTail(texts)) candidates.set(invoice, (candidates.get(invoice) ?? 0) | tail)
  const add = (invoices: ReadonlyArray<OpenInvoice>) => {
    for (const invoice of invoices) if (!candidates.has(invoice)) candidates.set(invoice, 0)
  }
  for (const customers of [owners, namesakes])
    for (const customerId of customers) {
      if (candidates.size > maxCandidates) break
      add(index.ofCustomer(customerId))
    }
  add(index.ofAmount(currency, amount))
  return candidates
}

/** Suggestions without an exact invoice number, best first. */
const byEvidence = (transaction: Transaction, index: MatchIndex, senders: Senders): ReadonlyArray<Suggestion> => {
  const weighed: Array<Weighed> = []
  for (const [invoice, how] of candidatesOf(transaction, index, senders)) {
    const one = weigh(invoice, how, transaction, senders)
    if (one !== undefined) weighed.push(one)
  }
  weighed.sort((left, right) => right.rank - left.rank)
  const [best] = weighed
  if (best === undefined) return []
  const isSafe =
    byBits[best.sum]!.confidence < autoConfidence ||
    (best.invoice.currency === transaction.currency && isUnique(best, weighed))
  return weighed.slice(0, maxSuggestions).map((one, at) => {
    const suggestion = explain(one, transaction)
    if (at === 0 && isSafe) return suggestion
    return {
      ...suggestion,
      confidence: Math.min(suggestion.confidence, doubtful),
      reasons: at === 0 ? [...suggestion.reasons, { code: "not_unique" }] : suggestion.reasons
    }
  })
}

/** Decides about one transaction. Transactions of other accounts of the tenant are no business of matching. */
export const decide = (transaction: Transaction, index: MatchIndex): Decision => {
  const senders = index.senders(transaction)
  const named = byReference(transaction, index, senders)
  const [first] = named
  if (first !== undefined && first.confidence >= autoConfidence)
    return { outcome: "auto", suggestions: named.slice(0, maxSuggestions) }
  const evidence = byEvidence(transaction, index, senders)
  const known = new Set(named.flatMap(({ allocations }) => allocations.map(({ invoice }) => invoice)))
  const rest = evidence.filter(({ allocations }) => !known.has(allocations[0]!.invoice))
  // A number that something contradicts: evidence for another invoice is shown, and a person decides.
  const suggestions = [...named, ...rest]
    .map((each) => (first === undefined ? each : { ...each, confidence: Math.min(each.confidence, doubtful) }))
    .sort((left, right) => right.confidence - left.confidence)
    .slice(0, maxSuggestions)
  const [best] = suggestions
  return {
    outcome: best === undefined ? "none" : best.confidence >= autoConfidence ? "auto" : "suggested",
    suggestions
  }
}
