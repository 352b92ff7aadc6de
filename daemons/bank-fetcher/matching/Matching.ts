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

interface Weighed {
  readonly suggestion: Suggestion
  readonly invoice: OpenInvoice
  readonly isExact: boolean
  /** Order among equal confidences: higher is better. */
  readonly rank: number
}

/** What is known about the transaction besides exact invoice numbers. */
interface Evidence extends Senders {
  readonly near: ReadonlySet<OpenInvoice>
  readonly tails: ReadonlySet<OpenInvoice>
}

const weigh = (invoice: OpenInvoice, transaction: Transaction, evidence: Evidence): Weighed | undefined => {
  if (!fitsSign(invoice, transaction)) return undefined
  const { bookedOn, currency } = transaction
  const { customerId, discount } = invoice
  const isExact = pays(invoice, transaction)
  const due = isExact ? dueIn(invoice, bookedOn) : undefined
  const isOwner = customerId !== null && evidence.owners.has(customerId)
  const hasName = customerId !== null && evidence.namesakes.has(customerId)
  const isNear = evidence.near.has(invoice)
  const isFuzzy = isNear || evidence.tails.has(invoice)
  const strategies: ReadonlyArray<Strategy> = [
    ...(due === undefined ? [] : ["amount_date" as const]),
    ...(isExact && isOwner ? ["counter_iban" as const] : []),
    ...(isFuzzy ? ["fuzzy" as const] : [])
  ]
  if (strategies.length === 0 && !isOwner && !hasName) return undefined
  const reasons: ReadonlyArray<Reason> = [
    ...(isFuzzy ? [{ code: "number_damaged", number: invoice.number } as const] : []),
    ...(!isExact
      ? []
      : discount !== null && invoice.open !== transaction.amount
        ? [{ code: "amount_less_discount", until: discount.until } as const]
        : [{ code: "amount" } as const]),
    ...(due === undefined ? [] : [{ code: "due", days: due } as const]),
    ...(isOwner ? [{ code: "counter_iban" } as const] : []),
    ...(hasName ? [{ code: "name" } as const] : []),
    ...(invoice.currency === currency ? [] : [{ code: "other_currency" } as const])
  ]
  return {
    invoice,
    isExact,
    rank: (hasName ? 3 : 0) + (isOwner ? 4 : 0) + (isNear ? 2 : 0),
    suggestion: {
      allocations: [allocate(invoice, transaction)],
      confidence: strategies.length === 0 ? senderConfidence : combined(strategies),
      strategies,
      reasons
    }
  }
}

/** True when nothing else could be meant: no further invoice of the payer, or of equal confidence, has the amount. */
const isUnique = (best: Weighed, others: ReadonlyArray<Weighed>) =>
  !others.some(
    (other) =>
      other !== best &&
      (other.suggestion.confidence >= best.suggestion.confidence ||
        (other.isExact && other.suggestion.strategies.includes("counter_iban")))
  )

/** Suggestions without an exact invoice number, best first. */
const byEvidence = (transaction: Transaction, index: MatchIndex, senders: Senders): ReadonlyArray<Suggestion> => {
  const { amount, currency, endToEndId, text } = transaction
  const texts = endToEndId === null ? text : `${text} ${endToEndId}`
  const evidence: Evidence = { ...senders, near: index.numbers.near(texts), tails: index.ofTail(texts) }
  const candidates = new Set<OpenInvoice>([...evidence.near, ...evidence.tails])
  for (const customers of [senders.owners, senders.namesakes])
    for (const customerId of customers) {
      if (candidates.size > maxCandidates) break
      for (const invoice of index.ofCustomer(customerId)) candidates.add(invoice)
    }
  for (const invoice of index.ofAmount(currency, amount)) candidates.add(invoice)
  const weighed = [...candidates]
    .flatMap((invoice) => weigh(invoice, transaction, evidence) ?? [])
    .sort((left, right) => right.suggestion.confidence - left.suggestion.confidence || right.rank - left.rank)
  const [best] = weighed
  if (best === undefined) return []
  const isSafe =
    best.suggestion.confidence < autoConfidence ||
    (best.invoice.currency === transaction.currency && isUnique(best, weighed))
  return weighed.map(({ suggestion }, at) =>
    at === 0 && isSafe
      ? suggestion
      : {
          ...suggestion,
          confidence: Math.min(suggestion.confidence, doubtful),
          reasons: at === 0 ? [...suggestion.reasons, { code: "not_unique" }] : suggestion.reasons
        }
  )
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
