/**
 * Decides which invoices a transaction settles. Pure. Strategies and confidences: interface document 2 §2.6.
 *
 * Strategies that agree on an invoice prove more than one alone: their confidences combine as the chance that not all
 * are wrong, `1 - (1 - a) (1 - b)`. Amount and date with the customer's IBAN have 88 percent, and are a match without a
 * person. Amount and date with a damaged number have 82 percent, and are a suggestion.
 */
import { clamped, dayOf, mayPay } from "./Columns.ts"
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
import { allocate, byReference, endToEndOf, mayBeMeant, pays } from "./Referenced.ts"

/** Candidates after which no further customer is looked at. Reason: a name or an IBAN of so many proves nothing. */
const maxCandidates = 200

/** Maximum number of suggestions of one transaction. Reason: a person reads a few. */
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

const nobody: ReadonlyArray<OpenInvoice> = []

/** How an invoice became a candidate: its number is damaged in the text, or only its end is there. */
const near = 1
const tail = 2

/** Part of the rank for a damaged number: it proves more than the number's end. */
const nearRank = 2

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

/** A candidate for which only its damaged number speaks, or only the number's end. */
const plainOne = (at: number, how: number): Weighed => ({
  at,
  sum: bits.fuzzy,
  isExact: false,
  due: undefined,
  isOwner: false,
  hasName: false,
  rank: byBits[bits.fuzzy]!.confidence * 10 + (how === near ? nearRank : 0)
})

/** The `most` best candidates, best first. Candidates of equal rank keep their order. */
const bestOf = (weighed: ReadonlyArray<Weighed>, most: number): ReadonlyArray<Weighed> => {
  const best: Array<Weighed> = []
  for (const one of weighed) {
    if (best.length === most && best[most - 1]!.rank >= one.rank) continue
    let place = best.length === most ? most - 1 : best.length
    for (; place > 0 && best[place - 1]!.rank < one.rank; place--) best[place] = best[place - 1]!
    best[place] = one
  }
  return best
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
  const { amounts, customers, days } = columns
  const open = amounts[2 * at]!
  if (amount > 0 ? open <= 0 : open >= 0) return undefined
  const customerId = customers[at]!
  const isExact = mayPay(columns, at, clamped(amount)) && pays(invoices[at]!, transaction)
  const isOwner = owners.includes(customerId)
  const hasName = namesakes.includes(customerId)
  if (how === 0 && !isExact && !isOwner && !hasName) return undefined
  const due = isExact ? daysUntil(days[2 * at]!, days[2 * at + 1]!, booked) : undefined
  const sum =
    (due === undefined ? 0 : bits.amount_date) +
    (isExact && isOwner ? bits.counter_iban : 0) +
    (how === 0 ? 0 : bits.fuzzy)
  if (sum === 0 && !isOwner && !hasName) return undefined
  const rank =
    byBits[sum]!.confidence * 10 + (hasName ? 3 : 0) + (isOwner ? 4 : 0) + ((how & near) === 0 ? 0 : nearRank)
  return { at, sum, isExact, due, isOwner, hasName, rank }
}

const explain = (
  { at, due, hasName, isExact, isOwner, sum }: Weighed,
  transaction: Transaction,
  { invoices }: MatchIndex
): Suggestion => {
  const invoice = invoices[at]!
  const { discount } = invoice
  const reasons: Array<Reason> = []
  if ((sum & bits.fuzzy) !== 0) reasons.push({ code: "number_damaged", number: invoice.number })
  if (isExact)
    reasons.push(
      discount !== null && invoice.open !== transaction.amount
        ? { code: "amount_less_discount", until: discount.until }
        : { code: "amount" }
    )
  if (due !== undefined) reasons.push({ code: "due", days: due })
  if (isOwner) reasons.push({ code: "counter_iban" })
  if (hasName) reasons.push({ code: "name" })
  if (invoice.currency !== transaction.currency) reasons.push({ code: "other_currency" })
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
 * Invoices that anything could speak for, with how they were found. `plainNear` and `plainTail`: some of those for
 * which only a damaged number, or only its end, speaks. Reason: a text with a mistyped number is similar to a hundred
 * others, of which people see a few.
 */
const candidatesOf = (transaction: Transaction, index: MatchIndex, senders: Senders, most: number) => {
  const { amount, currency, text } = transaction
  const endToEndId = endToEndOf(transaction)
  const { columns } = index
  const wanted = clamped(amount)
  const texts = endToEndId === null ? text : `${text} ${endToEndId}`
  const candidates = new Map<number, number>()
  const plainNear: Array<number> = []
  const plainTail: Array<number> = []
  const addPlain = (plain: Array<number>, at: number) => {
    if (plain.length < most && columns.amounts[2 * at]! * amount > 0 && !plain.includes(at)) plain.push(at)
  }
  index.numbers.near(texts, (at) => {
    if (mayBeMeant(at, wanted, columns, senders)) candidates.set(at, near)
    else addPlain(plainNear, at)
  })
  index.ofTail(texts, (at) => {
    if (mayBeMeant(at, wanted, columns, senders)) candidates.set(at, (candidates.get(at) ?? 0) | tail)
    else if (!plainNear.includes(at)) addPlain(plainTail, at)
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
  return { candidates, plainNear, plainTail }
}

/** Which suggestions the caller reads: at most `most`, above a confidence, and not for the known invoices. */
interface Wanted {
  readonly most: number
  readonly above: number
  readonly known: ReadonlyArray<OpenInvoice>
}

/** Suggestions without an exact invoice number, best first. */
const byEvidence = (
  transaction: Transaction,
  index: MatchIndex,
  senders: Senders,
  { above, known, most }: Wanted
): ReadonlyArray<Suggestion> => {
  const weighed: Array<Weighed> = []
  const booked = dayOf(transaction.bookedOn)
  const mostPlain = above < confidences.fuzzy ? most + known.length : 0
  const { candidates, plainNear, plainTail } = candidatesOf(transaction, index, senders, mostPlain)
  for (const [at, how] of candidates) {
    const one = weigh(at, how, transaction, booked, index, senders)
    if (one !== undefined) weighed.push(one)
  }
  for (const at of plainNear) weighed.push(plainOne(at, near))
  for (const at of plainTail) weighed.push(plainOne(at, tail))
  const ranked = bestOf(weighed, most + known.length)
  const [best] = ranked
  if (best === undefined) return []
  const isSafe =
    byBits[best.sum]!.confidence < autoConfidence ||
    (index.invoices[best.at]!.currency === transaction.currency && isUnique(best, weighed))
  return ranked
    .filter(({ at, sum }) => byBits[sum]!.confidence > above && !known.includes(index.invoices[at]!))
    .slice(0, most)
    .map((one) => {
      const suggestion = explain(one, transaction, index)
      if (one === best && isSafe) return suggestion
      return {
        ...suggestion,
        confidence: Math.min(suggestion.confidence, doubtful),
        reasons: one === best ? [...suggestion.reasons, { code: "not_unique" }] : suggestion.reasons
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
  const suggestions =
    first === undefined
      ? byEvidence(transaction, index, senders, { most, above: 0, known: nobody })
      : contested(named, transaction, index, senders, most)
  const [best] = suggestions
  return {
    outcome: best === undefined ? "none" : best.confidence >= autoConfidence ? "auto" : "suggested",
    suggestions
  }
}

/**
 * Suggestions when something contradicts the number: those by number and those by evidence for other invoices, none of
 * which is certain, best first, at most `most`.
 */
const contested = (
  named: ReadonlyArray<Suggestion>,
  transaction: Transaction,
  index: MatchIndex,
  senders: Senders,
  most: number
): ReadonlyArray<Suggestion> => {
  // Evidence is shown behind a number of equal confidence, so weaker evidence finds no place.
  const above = named[most - 1]?.confidence ?? 0
  // Only an invoice of the amount has more evidence than a damaged number.
  if (above >= confidences.fuzzy && !index.isOwed(transaction.currency, transaction.amount)) return named.slice(0, most)
  const known = named.flatMap(({ allocations }) => allocations.map(({ invoice }) => invoice))
  const evidence = byEvidence(transaction, index, senders, { most, above, known })
  if (evidence.length === 0) return named.slice(0, most)
  return [...named, ...evidence]
    .map((each) => ({ ...each, confidence: Math.min(each.confidence, doubtful) }))
    .sort((left, right) => right.confidence - left.confidence)
    .slice(0, most)
}
