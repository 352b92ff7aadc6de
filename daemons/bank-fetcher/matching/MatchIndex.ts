/**
 * Look-ups over all open invoices and customers of one tenant, made once for a batch of transactions. Invoices are
 * known by their position. What a decision reads of many invoices stands in a typed array, because fetching an object
 * of each from memory takes longer than the decision.
 */
import * as Columns from "./Columns.ts"
import { keyOf } from "./Compact.ts"
import * as KeyTable from "./KeyTable.ts"
import type { OpenInvoice, Payer, Transaction } from "./Model.ts"
import * as NumberIndex from "./NumberIndex.ts"
import * as NumberTails from "./NumberTails.ts"
import { scan } from "./TextScan.ts"

/** Longest list of candidates from one look-up. Reason: that many equal amounts prove nothing. */
const mostOfOne = 64

/** Shortest name that says something. Unit: letters. */
const leastName = 4

/**
 * Maximum number of customers with one IBAN, or one name. Reason: what so many share tells nothing about the sender.
 */
const mostSenders = 20

type Positions = ReadonlyArray<number>

/** Who sent the money, as far as it is known. */
export interface Senders {
  /** Customers with the counterparty's IBAN. */
  readonly owners: ReadonlyArray<number>
  /** Customers with the counterparty's name. */
  readonly namesakes: ReadonlyArray<number>
}

export interface MatchIndex {
  readonly invoices: ReadonlyArray<OpenInvoice>
  readonly columns: Columns.Columns
  readonly numbers: NumberIndex.NumberIndex
  /** Invoices whose open amount, or open amount less the discount, is this. Empty when they are too many. */
  readonly ofAmount: (currency: string, amount: number) => Positions
  /** Whether `amount` is open, or open less the discount, of any invoice. */
  readonly isOwed: (currency: string, amount: number) => boolean
  readonly ofCustomer: (customerId: number) => Positions
  readonly senders: (transaction: Transaction) => Senders
  /** Invoices whose number ends with a digit run of the text, or the other way round. None when they are too many. */
  readonly ofTail: (text: string, take: (position: number) => void) => void
  /**
   * Records that `amount` of the invoice was settled, and changes its `open`. An invoice without an open amount is no
   * longer matched. Reason: within one run, transactions see what earlier ones settled.
   */
  readonly settle: (invoice: OpenInvoice, amount: number) => void
}

const none: ReadonlyArray<never> = []

/** IBAN without blanks, in capitals. */
export const plainIban = (iban: string): string =>
  /[\sa-z]/.test(iban) ? iban.replaceAll(/\s/g, "").toUpperCase() : iban

const append = <K, V>(map: Map<K, Array<V>>, key: K, value: V) => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

const insert = (map: Map<string, Array<number>>, key: string, customerId: number) => {
  const known = map.get(key)
  if (known === undefined) map.set(key, [customerId])
  else if (known.length <= mostSenders && !known.includes(customerId)) known.push(customerId)
}

/** Without the lists of customers that are too long. */
const withFew = (map: ReadonlyMap<string, ReadonlyArray<number>>): ReadonlyMap<string, ReadonlyArray<number>> =>
  new Map([...map].filter(([, customers]) => customers.length <= mostSenders))

/** Looks up the customers with a text, such as an IBAN. */
const customersIn = (customers: Map<string, Array<number>>) => {
  const known = withFew(customers)
  const lists = [...known.values()]
  const table = KeyTable.make([...known.keys()], KeyTable.idsOf(lists))
  return (text: string | null): ReadonlyArray<number> =>
    text === null || lists.length === 0 ? none : KeyTable.numbersOf(table.find(0, scan(text)), lists)
}

/** Amounts that pay the invoice: what is open, and less the cash discount, whatever the day. */
const payingAmounts = ({ discount, open }: OpenInvoice): ReadonlyArray<number> =>
  discount === null ? [open] : [open, open - discount.amount]

/** Positions by currency and amount. */
const amountsIn = (invoices: ReadonlyArray<OpenInvoice>) => {
  const byCurrency = new Map<string, Map<number, Array<number>>>()
  const file = (position: number) => {
    const invoice = invoices[position]!
    const amounts = byCurrency.get(invoice.currency) ?? new Map<number, Array<number>>()
    byCurrency.set(invoice.currency, amounts)
    for (const amount of payingAmounts(invoice)) append(amounts, amount, position)
  }
  const unfile = (position: number) => {
    const invoice = invoices[position]!
    const amounts = byCurrency.get(invoice.currency)
    for (const amount of payingAmounts(invoice)) {
      const left = amounts?.get(amount)?.filter((other) => other !== position)
      if (left !== undefined) amounts!.set(amount, left)
    }
  }
  const find: MatchIndex["ofAmount"] = (currency, amount) => {
    const found = byCurrency.get(currency)?.get(amount)
    return found === undefined || found.length > mostOfOne ? none : found
  }
  const isOwed: MatchIndex["isOwed"] = (currency, amount) => (byCurrency.get(currency)?.get(amount)?.length ?? 0) > 0
  return { file, unfile, find, isOwed }
}

/** Invoices or customers between two pauses of `building`. Reason: a few milliseconds. */
const turn = 2_000

/** Builds the index in turns, so that a caller can do other work between them. */
export function* building(
  opened: Iterable<OpenInvoice>,
  payers: Iterable<Payer>
): Generator<undefined, MatchIndex, undefined> {
  const invoices = [...opened]
  const columns = Columns.make(invoices.length)
  const amounts = amountsIn(invoices)
  const byCustomer = new Map<number, Array<number>>()
  const positionOf = new Map<OpenInvoice, number>()
  for (const [position, invoice] of invoices.entries()) {
    if (position % turn === turn - 1) yield
    Columns.put(columns, position, invoice)
    amounts.file(position)
    positionOf.set(invoice, position)
    if (invoice.customerId !== null) append(byCustomer, invoice.customerId, position)
  }
  const byIban = new Map<string, Array<number>>()
  const byName = new Map<string, Array<number>>()
  let count = 0
  for (const { customerId, ibans, name } of payers) {
    if (++count % turn === 0) yield
    const key = keyOf(name)
    if (key.length >= leastName) insert(byName, key, customerId)
    for (const iban of ibans) insert(byIban, keyOf(iban), customerId)
  }
  const ownersOf = customersIn(byIban)
  const namesakesOf = customersIn(byName)
  const numbers = yield* NumberIndex.building(invoices, turn)
  const ofTail = NumberTails.make(invoices.map(({ number }) => number))
  yield
  return {
    invoices,
    columns,
    numbers,
    ofAmount: amounts.find,
    isOwed: amounts.isOwed,
    ofCustomer: (customerId) => byCustomer.get(customerId) ?? none,
    senders: ({ counterIban, counterName }) => ({ owners: ownersOf(counterIban), namesakes: namesakesOf(counterName) }),
    ofTail,
    settle: (invoice, amount) => {
      const position = positionOf.get(invoice)!
      amounts.unfile(position)
      ;(invoice as { open: number }).open -= amount
      Columns.put(columns, position, invoice)
      if (invoice.open !== 0) amounts.file(position)
    }
  }
}

/** Builds the index at once. */
export const make = (invoices: Iterable<OpenInvoice>, payers: Iterable<Payer>): MatchIndex => {
  const steps = building(invoices, payers)
  while (true) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
