/**
 * Decides which invoices a transaction settles. Pure. Strategies and confidences: interface document 2 §2.6.
 *
 * Strategies that agree on an invoice prove more than one alone: their confidences combine as the chance that not all
 * are wrong, `1 - (1 - a) (1 - b)`. Amount and date with the customer's IBAN have 88 percent, and are a match without a
 * person. Amount and date with a damaged number have 82 percent, and are a suggestion.
 */
import {
  customerAt,
  dayOf,
  dueAt,
  issuedAt,
  lessDiscountAt,
  type MatchIndex,
  openAt,
  type Senders,
  stride
} from "./MatchIndex.ts"
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
import { allocate, byReference, mayBeMeant, pays } from "./Referenced.ts"

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

/** Combined confidence of independent strategies. Unit: percent, rounded. */
export const combined = (strategies: ReadonlyArray<Strategy>): number =>
  Math.round(100 * (1 - strategies.reduce((doubt, strategy) => doubt * (1 - confidences[strategy] / 100), 1)))

/** Days until the due day, negative after it; undefined outside the window. All are numbers of days. */
const daysUntil = (issued: number, due: number, booked: number): number | undefined =>
  booked < issued - dueWindow.before || booked > due + dueWindow.after ? undefined : due - booked

/** Days until the invoice is due, negative when overdue; undefined outside the window. */
export const dueIn = ({ dueOn, issuedOn }: OpenInvoice, bookedOn: string): number | undefined =>
  daysUntil(dayOf(issuedOn), dayOf(dueOn), dayOf(bookedOn))

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
  readonly at: number
  /** Sum of `bits`. */
  readonly sum: number
  readonly isExact: boolean
  readonly due: number | undefined
  readonly isOwner: boolean
  readonly hasName: boolean
  /** Order: by confidence, then by the sender and by how much of the number is there. */
  readonly rank: number
}

/** A candidate for which only its damaged number speaks. */
const onlyNear: Omit<Weighed, "at"> = {
  sum: bits.fuzzy,
  isExact: false,
  due: undefined,
  isOwner: false,
  hasName: false,
  rank: byBits[bits.fuzzy]!.confidence * 10 + 2
}

/** Moves the best candidate to the front. */
const bestFirst = (weighed: Array<Weighed>): void => {
  let best = 0
  for (let at = 1; at < weighed.length; at++) if (weighed[at]!.rank > weighed[best]!.rank) best = at
  const [first] = weighed
  if (first === undefined) return
  weighed[0] = weighed[best]!
  weighed[best] = first
}

const weigh = (
  at: number,
  how: number,
  transaction: Transaction,
  booked: number,
  { columns, invoices }: MatchIndex,
  { namesakes, owners }: Senders
): Weighed | undefined => {
  const { amount } = transaction
  const row = at * stride
  const open = columns[row + openAt]!
  if (amount > 0 ? open <= 0 : open >= 0) return undefined
  const customerId = columns[row + customerAt]!
  const isExact = (open === amount || columns[row + lessDiscountAt] === amount) && pays(invoices[at]!, transaction)
  const isOwner = owners.includes(customerId)
  const hasName = namesakes.includes(customerId)
  if (how === 0 && !isExact && !isOwner && !hasName) return undefined
  const due = isExact ? daysUntil(columns[row + issuedAt]!, columns[row + dueAt]!, booked) : undefined
  const sum =
    (due === undefined ? 0 : bits.amount_date) +
    (isExact && isOwner ? bits.counter_iban : 0) +
    (how === 0 ? 0 : bits.fuzzy)
  if (sum === 0 && !isOwner && !hasName) return undefined
  const rank = byBits[sum]!.confidence * 10 + (hasName ? 3 : 0) + (isOwner ? 4 : 0) + ((how & near) === 0 ? 0 : 2)
  return { at, sum, isExact, due, isOwner, hasName, rank }
}

const explain = (
  { at, due, hasName, isExact, isOwner, sum }: Weighed,
  transaction: Transaction,
  { invoices }: MatchIndex
): Suggestion => {
  const invoice = invoices[at]!
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

/**
 * Invoices that anything could speak for, with how they were found. `plain`: some of those for which only a damaged
 * number speaks. Reason: a text with a mistyped number is similar to a hundred others, of which people see a few.
 */
const candidatesOf = (transaction: Transaction, index: MatchIndex, senders: Senders, most: number) => {
  const { amount, currency, endToEndId, text } = transaction
  const { columns } = index
  const texts = endToEndId === null ? text : `${text} ${endToEndId}`
  const candidates = new Map<number, number>()
  const plain: Array<number> = []
  index.numbers.near(texts, (at) => {
    if (mayBeMeant(at, amount, columns, senders)) candidates.set(at, near)
    else if (plain.length < most && columns[at * stride + openAt]! * amount > 0 && !plain.includes(at)) plain.push(at)
  })
  index.ofTail(texts, (at) => {
    if (!plain.includes(at)) candidates.set(at, (candidates.get(at) ?? 0) | tail)
  })
  const add = (positions: ReadonlyArray<number>) => {
    for (const at of positions) if (!candidates.has(at)) candidates.set(at, 0)
  }
  for (const customers of [senders.owners, senders.namesakes])
    for (const customerId of customers) {
      if (candidates.size > maxCandidates) break
      add(index.ofCustomer(customerId))
    }
  add(index.ofAmount(currency, amount))
  return { candidates, plain }
}

/** Suggestions without an exact invoice number, best first, at most `most`. */
const byEvidence = (
  transaction: Transaction,
  index: MatchIndex,
  senders: Senders,
  most: number
): ReadonlyArray<Suggestion> => {
  const weighed: Array<Weighed> = []
  const booked = dayOf(transaction.bookedOn)
  const { candidates, plain } = candidatesOf(transaction, index, senders, most)
  for (const [at, how] of candidates) {
    const one = weigh(at, how, transaction, booked, index, senders)
    if (one !== undefined) weighed.push(one)
  }
  for (const at of plain) weighed.push({ ...onlyNear, at })
  if (most === 1) bestFirst(weighed)
  else weighed.sort((left, right) => right.rank - left.rank)
  const [best] = weighed
  if (best === undefined) return []
  const isSafe =
    byBits[best.sum]!.confidence < autoConfidence ||
    (index.invoices[best.at]!.currency === transaction.currency && isUnique(best, weighed))
  return weighed.slice(0, most).map((one, place) => {
    const suggestion = explain(one, transaction, index)
    if (place === 0 && isSafe) return suggestion
    return {
      ...suggestion,
      confidence: Math.min(suggestion.confidence, doubtful),
      reasons: place === 0 ? [...suggestion.reasons, { code: "not_unique" }] : suggestion.reasons
    }
  })
}

/**
 * Decides about one transaction. Transactions of other accounts of the tenant are no business of matching. `most`: how
 * many suggestions the caller reads; fewer cost less.
 */
export const decide = (transaction: Transaction, index: MatchIndex, most: number = maxSuggestions): Decision => {
  const senders = index.senders(transaction)
  const named = byReference(transaction, index, senders)
  const [first] = named
  if (first !== undefined && first.confidence >= autoConfidence)
    return { outcome: "auto", suggestions: named.length > most ? named.slice(0, most) : named }
  const evidence = byEvidence(transaction, index, senders, first === undefined ? most : maxSuggestions)
  // A number that something contradicts: evidence for another invoice is shown, and a person decides.
  const suggestions = first === undefined ? evidence : merged(named, evidence).slice(0, most)
  const [best] = suggestions
  return {
    outcome: best === undefined ? "none" : best.confidence >= autoConfidence ? "auto" : "suggested",
    suggestions
  }
}

/** Suggestions by number and by evidence for other invoices, none of which is certain, best first. */
const merged = (named: ReadonlyArray<Suggestion>, evidence: ReadonlyArray<Suggestion>): ReadonlyArray<Suggestion> => {
  const known = new Set(named.flatMap(({ allocations }) => allocations.map(({ invoice }) => invoice)))
  const rest = evidence.filter(({ allocations }) => !known.has(allocations[0]!.invoice))
  return [...named, ...rest]
    .map((each) => ({ ...each, confidence: Math.min(each.confidence, doubtful) }))
    .sort((left, right) => right.confidence - left.confidence)
}
