/** Matches by invoice number: the strategy "exact reference". */
import { clamped, type Columns, mayPay } from "./Columns.ts"
import type { MatchIndex, Senders } from "./MatchIndex.ts"
import {
  type Allocation,
  confidences,
  type OpenInvoice,
  type Reason,
  type Strategy,
  type Suggestion,
  type Transaction
} from "./Model.ts"
import type { Named } from "./NumberIndex.ts"

/** Maximum number of invoices of one text of which all combinations are compared with the amount. Reason: 2^10 sums. */
const maxCombined = 10

/** Confidence when something contradicts the number, so that a person decides. Unit: percent. */
const doubtful = 80

const nothing: ReadonlyArray<never> = []

const byNumber: ReadonlyArray<Strategy> = ["reference"]

/** What payers send who give no end-to-end id. Source: SEPA credit transfer rulebook, AT-41. */
const notProvided = "NOTPROVIDED"

/** The end-to-end id; null without one. */
export const endToEndOf = ({ endToEndId }: Transaction): string | null =>
  endToEndId === notProvided ? null : endToEndId

/** Places of all texts of the transaction that name invoices; each invoice once. */
const namedIn = (transaction: Transaction, { numbers }: MatchIndex): ReadonlyArray<Named> => {
  const inText = numbers.find(transaction.text)
  const { creditorReference } = transaction
  const endToEndId = endToEndOf(transaction)
  if (endToEndId === null && creditorReference === null) return inText
  const found = [endToEndId, creditorReference?.replace(/^RF\d\d/i, "")].flatMap((text) =>
    text === undefined || text === null ? [] : numbers.find(text)
  )
  if (found.length === 0) return inText
  const known = new Set(inText.flatMap(({ invoices }) => invoices))
  const more = found.filter(({ invoices }) => invoices.every((invoice) => !known.has(invoice) && known.add(invoice)))
  return [...inText, ...more]
}

/** What is due on the day of the transaction when it takes the cash discount; undefined without one. */
export const discounted = ({ discount, open }: OpenInvoice, bookedOn: string): number | undefined =>
  discount !== null && bookedOn <= discount.until ? open - discount.amount : undefined

/** True when the transaction pays the invoice exactly. */
export const pays = (invoice: OpenInvoice, { amount, bookedOn, currency }: Transaction): boolean =>
  invoice.currency === currency && (invoice.open === amount || discounted(invoice, bookedOn) === amount)

/** Money that comes in settles invoices, money that goes out settles credit notes. */
export const fitsSign = ({ open }: OpenInvoice, { amount }: Transaction): boolean => (amount > 0 ? open > 0 : open < 0)

/** What the transaction settles of the invoice: never more than is open. */
export const allocate = (invoice: OpenInvoice, { amount, bookedOn }: Transaction): Allocation => ({
  invoice,
  amount: amount === discounted(invoice, bookedOn) || Math.abs(amount) > Math.abs(invoice.open) ? invoice.open : amount
})

const amountReason = (invoice: OpenInvoice, { amount, bookedOn }: Transaction): Reason => {
  const { discount, open } = invoice
  if (open === amount) return { code: "amount" }
  if (discount !== null && discounted(invoice, bookedOn) === amount)
    return { code: "amount_less_discount", until: discount.until }
  return Math.abs(amount) < Math.abs(open)
    ? { code: "amount_less", rest: open - amount }
    : { code: "amount_more", rest: amount - open }
}

/** How much besides its number speaks for an invoice. The amount and the IBAN weigh more than the name. */
const support = (invoice: OpenInvoice, transaction: Transaction, { namesakes, owners }: Senders) => {
  const { customerId } = invoice
  return (
    (pays(invoice, transaction) ? 2 : 0) +
    (customerId !== null && owners.includes(customerId) ? 2 : 0) +
    (customerId !== null && namesakes.includes(customerId) ? 1 : 0)
  )
}

/** False when nothing but its number can speak for the invoice. Reads `columns` only. `amount`: clamped. */
export const mayBeMeant = (at: number, amount: number, columns: Columns, { namesakes, owners }: Senders): boolean => {
  if (mayPay(columns, at, amount)) return true
  if (owners.length === 0 && namesakes.length === 0) return false
  const customer = columns.customers[at]!
  return owners.includes(customer) || namesakes.includes(customer)
}

/** True when one of the customers has an open invoice that the transaction pays exactly. */
const owesAmount = (customers: ReadonlyArray<number>, transaction: Transaction, index: MatchIndex): boolean =>
  customers.some((customer) => index.ofCustomer(customer).some((at) => pays(index.invoices[at]!, transaction)))

/**
 * False when more than `own` speaks for no other invoice, so that similar numbers need no search: that more speaks for
 * takes an invoice of the sender, or at least one of the amount.
 */
const mayBeBetter = (own: number, transaction: Transaction, index: MatchIndex, senders: Senders): boolean =>
  (own < 2 && index.isOwed(transaction.currency, transaction.amount)) ||
  [senders.owners, senders.namesakes].some((customers) =>
    customers.some((customer) =>
      index.ofCustomer(customer).some((at) => support(index.invoices[at]!, transaction, senders) > own)
    )
  )

/** The first invoice with a similar number that more speaks for than `own`. */
const betterNear = (
  invoice: OpenInvoice,
  own: number,
  transaction: Transaction,
  { columns, invoices, numbers }: MatchIndex,
  senders: Senders
): OpenInvoice | undefined => {
  let better: OpenInvoice | undefined
  const amount = clamped(transaction.amount)
  numbers.near(transaction.text, (at) => {
    if (better !== undefined || !mayBeMeant(at, amount, columns, senders)) return
    const other = invoices[at]!
    if (other !== invoice && support(other, transaction, senders) > own) better = other
  })
  return better
}

/** Reasons against an invoice although its number is in the text. Empty: none. */
const contradictions = (
  invoice: OpenInvoice,
  transaction: Transaction,
  index: MatchIndex,
  senders: Senders
): ReadonlyArray<Reason> => {
  if (invoice.currency !== transaction.currency) return [{ code: "other_currency" }]
  const own = support(invoice, transaction, senders)
  if (own > 2) return nothing
  const { namesakes, owners } = senders
  const isOfOther = owners.length > 0 && (invoice.customerId === null || !owners.includes(invoice.customerId))
  if (isOfOther && !pays(invoice, transaction)) return [{ code: "iban_of_other_customer" }]
  if (isOfOther && owesAmount(owners, transaction, index)) return [{ code: "iban_of_other_customer" }]
  // Nothing can fit better when nobody is known to have sent the money.
  if (own >= 2 + (owners.length > 0 ? 2 : 0) + (namesakes.length > 0 ? 1 : 0)) return nothing
  if (!mayBeBetter(own, transaction, index, senders)) return nothing
  const better = betterNear(invoice, own, transaction, index, senders)
  return better === undefined ? nothing : [{ code: "similar_number", number: better.number }]
}

/** The open invoice of the same customer that explains what the transaction pays more than the named one. */
const unnamed = (invoice: OpenInvoice, { amount }: Transaction, index: MatchIndex): OpenInvoice | undefined => {
  const { currency, customerId, open } = invoice
  if (customerId === null || Math.abs(amount) <= Math.abs(open)) return undefined
  for (const at of index.ofCustomer(customerId)) {
    const other = index.invoices[at]!
    if (other !== invoice && other.open === amount - open && other.currency === currency) return other
  }
  return undefined
}

const suggestion = (
  invoice: OpenInvoice,
  transaction: Transaction,
  confidence: number,
  reasons: ReadonlyArray<Reason>
): Suggestion => ({
  allocations: [allocate(invoice, transaction)],
  confidence,
  strategies: byNumber,
  reasons: [{ code: "number", number: invoice.number }, amountReason(invoice, transaction), ...reasons]
})

const together = (
  invoices: ReadonlyArray<OpenInvoice>,
  named: ReadonlyArray<OpenInvoice>,
  confidence: number
): Suggestion => ({
  allocations: invoices.map((invoice) => ({ invoice, amount: invoice.open })),
  confidence,
  strategies: byNumber,
  reasons: [
    ...named.map(({ number }) => ({ code: "number", number }) as const),
    { code: "amount_of_all", count: invoices.length }
  ]
})

/** The only subset of the invoices, with two members or more, whose sum is the amount; undefined: none or several. */
export const onlySum = (invoices: ReadonlyArray<OpenInvoice>, { amount, currency }: Transaction) => {
  if (invoices.length < 2 || invoices.length > maxCombined) return undefined
  let only: ReadonlyArray<OpenInvoice> | undefined
  for (let set = 3; set < 1 << invoices.length; set++) {
    if ((set & (set - 1)) === 0) continue
    const chosen = invoices.filter((_, at) => (set & (1 << at)) !== 0)
    if (chosen.some((invoice) => invoice.currency !== currency)) continue
    if (chosen.reduce((sum, { open }) => sum + open, 0) !== amount) continue
    if (only !== undefined) return undefined
    only = chosen
  }
  return only
}

/** Chooses between invoices that one place of the text may name: the only one that the amount pays, if any. */
const resolve = ({ invoices, isSure }: Named, transaction: Transaction): ReadonlyArray<OpenInvoice> => {
  if (invoices.length === 1 && isSure) return invoices
  const paid = invoices.filter((invoice) => pays(invoice, transaction))
  return paid.length === 1 ? paid : isSure ? invoices : []
}

const one = (invoice: OpenInvoice, transaction: Transaction, index: MatchIndex, senders: Senders) => {
  if (!fitsSign(invoice, transaction)) return []
  const second = unnamed(invoice, transaction, index)
  if (second !== undefined)
    return [
      together([invoice, second], [invoice], doubtful),
      suggestion(invoice, transaction, doubtful, [{ code: "not_unique" }])
    ]
  const against = contradictions(invoice, transaction, index, senders)
  return [suggestion(invoice, transaction, against.length === 0 ? confidences.reference : doubtful, against)]
}

/** Suggestions by number, best first. The first has 100 percent when it is the only possible one. */
export const byReference = (
  transaction: Transaction,
  index: MatchIndex,
  senders: Senders
): ReadonlyArray<Suggestion> => {
  const named = namedIn(transaction, index)
  if (named.length === 0) return nothing
  const { invoices: ofPlace, isSure } = named[0]!
  // Nearly all texts name one invoice.
  if (named.length === 1 && ofPlace.length === 1 && isSure)
    return ofPlace[0]!.open === 0 ? nothing : one(ofPlace[0]!, transaction, index, senders)
  const invoices = named.flatMap((place) => resolve(place, transaction)).filter(({ open }) => open !== 0)
  const [first] = invoices
  if (first === undefined) return nothing
  if (invoices.length === 1) return one(first, transaction, index, senders)
  const all = onlySum(invoices, transaction)
  const paid = invoices.filter((invoice) => pays(invoice, transaction))
  if (all !== undefined && paid.length === 0) return [together(all, all, confidences.reference)]
  return invoices
    .filter((invoice) => fitsSign(invoice, transaction))
    .map((invoice) =>
      paid.length === 1 && all === undefined && invoice === paid[0]
        ? suggestion(invoice, transaction, confidences.reference, [])
        : suggestion(invoice, transaction, doubtful, [{ code: "not_unique" }])
    )
    .sort((left, right) => right.confidence - left.confidence)
}
