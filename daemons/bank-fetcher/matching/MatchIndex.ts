/**
 * Look-ups over all open invoices and customers of one tenant, made once for a batch of transactions. Invoices are
 * known by their position. What a decision reads of many invoices stands in a typed array, because fetching an object
 * of each from memory takes longer than the decision.
 */
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

/** Most customers with one IBAN, or one name. Reason: what so many share tells nothing about the sender. */
const mostSenders = 20

type Positions = ReadonlyArray<number>

/** Who sent the money, as far as it is known. */
export interface Senders {
  /** Customers with the counterparty's IBAN. */
  readonly owners: ReadonlyArray<number>
  /** Customers with the counterparty's name. */
  readonly namesakes: ReadonlyArray<number>
}

/**
 * What a decision reads of nearly each candidate: `stride` numbers from `position * stride`, two invoices in a line of
 * the processor's cache. Amounts are NaN where there is none.
 */
export type Columns = Float64Array

export const stride = 4
/** Changed by `settle`. */
export const openAt = 0
/** Open amount less the cash discount, whatever the day. */
export const lessDiscountAt = 1
/** -1: none. */
export const customerAt = 2

export interface MatchIndex {
  readonly invoices: ReadonlyArray<OpenInvoice>
  readonly columns: Columns
  /** The day of issue at `2 * position`, and the due day behind it, from 1970. */
  readonly days: Int32Array
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

const millisecondsOfDay = 86_400_000

/** Number of a day, ISO 8601, from 1970. */
export const dayOf = (date: string): number => Date.parse(date) / millisecondsOfDay

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

/** Looks up who has this IBAN and this name. */
const sendersIn = (ofIban: Map<string, Array<number>>, ofName: Map<string, Array<number>>): MatchIndex["senders"] => {
  const owned = withFew(ofIban)
  const ibans = KeyTable.make([...owned.keys()])
  const owners = [...owned.values()]
  const named = withFew(ofName)
  const names = KeyTable.make([...named.keys()])
  const namesakes = [...named.values()]
  return ({ counterIban, counterName }) => {
    const iban = counterIban === null || owners.length === 0 ? -1 : ibans.find(0, scan(counterIban))
    const name = counterName === null || namesakes.length === 0 ? -1 : names.find(0, scan(counterName))
    return { owners: iban === -1 ? none : owners[iban]!, namesakes: name === -1 ? none : namesakes[name]! }
  }
}

/** Positions by currency and amount. */
const amountsIn = (invoices: ReadonlyArray<OpenInvoice>, columns: Columns) => {
  const byCurrency = new Map<string, Map<number, Array<number>>>()
  const file = (position: number) => {
    const { currency } = invoices[position]!
    const amounts = byCurrency.get(currency) ?? new Map<number, Array<number>>()
    byCurrency.set(currency, amounts)
    const open = columns[position * stride + openAt]!
    append(amounts, open, position)
    const less = columns[position * stride + lessDiscountAt]!
    if (!Number.isNaN(less) && less !== open) append(amounts, less, position)
  }
  const unfile = (position: number) => {
    const amounts = byCurrency.get(invoices[position]!.currency)
    for (const key of columns.subarray(position * stride, position * stride + 2)) {
      const left = amounts?.get(key)?.filter((other) => other !== position)
      if (left !== undefined) amounts!.set(key, left)
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
  const columns = new Float64Array(invoices.length * stride)
  const days = new Int32Array(invoices.length * 2)
  const amounts = amountsIn(invoices, columns)
  const byCustomer = new Map<number, Array<number>>()
  const positionOf = new Map<OpenInvoice, number>()
  const setOpen = (position: number, { discount, open }: OpenInvoice) => {
    columns[position * stride + openAt] = open
    columns[position * stride + lessDiscountAt] = discount === null ? Number.NaN : open - discount.amount
  }
  for (const [position, invoice] of invoices.entries()) {
    if (position % turn === turn - 1) yield
    setOpen(position, invoice)
    columns[position * stride + customerAt] = invoice.customerId ?? -1
    days[2 * position] = dayOf(invoice.issuedOn)
    days[2 * position + 1] = dayOf(invoice.dueOn)
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
  const numbers = yield* NumberIndex.building(invoices, turn)
  const ofTail = NumberTails.make(invoices.map(({ number }) => number))
  yield
  return {
    invoices,
    columns,
    days,
    numbers,
    ofAmount: amounts.find,
    isOwed: amounts.isOwed,
    ofCustomer: (customerId) => byCustomer.get(customerId) ?? none,
    senders: sendersIn(byIban, byName),
    ofTail,
    settle: (invoice, amount) => {
      const position = positionOf.get(invoice)!
      amounts.unfile(position)
      ;(invoice as { open: number }).open -= amount
      setOpen(position, invoice)
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
