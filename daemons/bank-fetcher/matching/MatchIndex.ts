/** Look-ups over all open invoices and customers of one tenant, made once for a batch of transactions. */
import { keyOf } from "./Compact.ts"
import type { OpenInvoice, Payer, Transaction } from "./Model.ts"
import * as NumberIndex from "./NumberIndex.ts"

/** Last digits of a number under which it is found when a text has nothing else of it. Unit: digits. */
const tailDigits = 4

/** Longest list of candidates from one look-up. Reason: that many equal amounts or endings prove nothing. */
const mostOfOne = 64

/** Shortest name that says something. Unit: letters. */
const leastName = 4

/** Most customers with one IBAN, or one name. Reason: what so many share tells nothing about the sender. */
const mostSenders = 20

type Invoices = ReadonlyArray<OpenInvoice>

/** Who sent the money, as far as it is known. */
export interface Senders {
  /** Customers with the counterparty's IBAN. */
  readonly owners: ReadonlySet<number>
  /** Customers with the counterparty's name. */
  readonly namesakes: ReadonlySet<number>
}

export interface MatchIndex {
  readonly numbers: NumberIndex.NumberIndex
  /** Invoices whose open amount, or open amount less the discount, is this. Empty when they are too many. */
  readonly ofAmount: (currency: string, amount: number) => Invoices
  readonly ofCustomer: (customerId: number) => Invoices
  readonly senders: (transaction: Transaction) => Senders
  /** Invoices whose number ends with a digit run of the text, or the other way round. Empty when they are too many. */
  readonly ofTail: (text: string) => ReadonlySet<OpenInvoice>
  /**
   * Records that `amount` of the invoice was settled, and changes its `open`. An invoice without an open amount is no
   * longer matched. Reason: within one run, transactions see what earlier ones settled.
   */
  readonly settle: (invoice: OpenInvoice, amount: number) => void
}

const none: ReadonlyArray<never> = []
const nobody: ReadonlySet<never> = new Set<never>()

/** Customers with a property; none where too many share it. */
const fewWith = (customers: ReadonlySet<number> | undefined): ReadonlySet<number> =>
  customers === undefined || customers.size > mostSenders ? nobody : customers

/** IBAN without blanks, in capitals. */
export const plainIban = (iban: string): string => iban.replaceAll(/\s/g, "").toUpperCase()

const append = <K, V>(map: Map<K, Array<V>>, key: K, value: V) => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

const insert = (map: Map<string, Set<number>>, key: string, customerId: number) => {
  const known = map.get(key)
  if (known === undefined) map.set(key, new Set([customerId]))
  else known.add(customerId)
}

/** Invoices or customers between two pauses of `building`. Reason: a few milliseconds. */
const turn = 2_000

/** Builds the index in turns, so that a caller can do other work between them. */
export function* building(
  invoices: Iterable<OpenInvoice>,
  payers: Iterable<Payer>
): Generator<undefined, MatchIndex, undefined> {
  let count = 0
  const all = [...invoices]
  const byAmount = new Map<string, Map<number, Array<OpenInvoice>>>()
  const fileByAmount = (invoice: OpenInvoice) => {
    const amounts = byAmount.get(invoice.currency) ?? new Map<number, Array<OpenInvoice>>()
    byAmount.set(invoice.currency, amounts)
    append(amounts, invoice.open, invoice)
    if (invoice.discount !== null && invoice.discount.amount > 0)
      append(amounts, invoice.open - invoice.discount.amount, invoice)
  }
  const unfile = (invoice: OpenInvoice, key: number) => {
    const amounts = byAmount.get(invoice.currency)
    const left = amounts?.get(key)?.filter((other) => other !== invoice)
    if (left !== undefined) amounts!.set(key, left)
  }
  const byCustomer = new Map<number, Array<OpenInvoice>>()
  const byTail = new Map<string, Array<readonly [digits: string, invoice: OpenInvoice]>>()
  const byIban = new Map<string, Set<number>>()
  const byName = new Map<string, Set<number>>()
  for (const invoice of all) {
    if (++count % turn === 0) yield
    fileByAmount(invoice)
    if (invoice.customerId !== null) append(byCustomer, invoice.customerId, invoice)
    const digits = invoice.number.replaceAll(/\D/g, "")
    if (digits.length >= tailDigits) append(byTail, digits.slice(-tailDigits), [digits, invoice])
  }
  for (const { customerId, ibans, name } of payers) {
    if (++count % turn === 0) yield
    const key = keyOf(name)
    if (key.length >= leastName) insert(byName, key, customerId)
    for (const iban of ibans) insert(byIban, plainIban(iban), customerId)
  }
  return {
    numbers: NumberIndex.make(all),
    ofAmount: (currency, amount) => {
      const found = byAmount.get(currency)?.get(amount) ?? none
      return found.length > mostOfOne ? none : found
    },
    ofCustomer: (customerId) => byCustomer.get(customerId) ?? none,
    senders: ({ counterIban, counterName }) => ({
      owners: counterIban === null ? nobody : fewWith(byIban.get(plainIban(counterIban))),
      namesakes: counterName === null ? nobody : fewWith(byName.get(keyOf(counterName)))
    }),
    ofTail: (text) => {
      let found: Set<OpenInvoice> | undefined
      for (const [run] of text.matchAll(/\d{4,}/g)) {
        const same = byTail.get(run.slice(-tailDigits))
        if (same === undefined) continue
        const fitting = same.filter(([digits]) => digits.endsWith(run) || run.endsWith(digits))
        if (fitting.length <= mostOfOne) for (const [, invoice] of fitting) (found ??= new Set()).add(invoice)
      }
      return found ?? nobody
    },
    settle: (invoice, amount) => {
      unfile(invoice, invoice.open)
      if (invoice.discount !== null) unfile(invoice, invoice.open - invoice.discount.amount)
      ;(invoice as { open: number }).open -= amount
      if (invoice.open !== 0) fileByAmount(invoice)
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
