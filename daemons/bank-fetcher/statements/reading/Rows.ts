/** Rows of statements and transactions from what the parsers return. Pure. */
import { createHash, type Hash } from "node:crypto"
import type { Amount } from "#protocols/bank-formats/Amount.ts"
import { malformed, tooLarge } from "#protocols/bank-formats/BankFormatsError.ts"
import type { Balance, Entry, Statement, Transaction } from "#protocols/bank-formats/Statement.ts"
import { day } from "#protocols/bank-formats/Values.ts"
import { maxMinor } from "../../bank-store/Money.ts"
import { identification } from "../AccountIban.ts"

/** Longest reference text of a row. Unit: UTF-16 code units. Reason: twenty lines of 140; the raw file has it all. */
const maxText = 4_000

/** Longest name, id or code of a row. Unit: UTF-16 code units. Reason: camt has at most 140. */
const maxField = 200

/** Head of a statement with its balances. Amounts: minor units. */
export interface StatementHead {
  readonly kind: "end_of_day" | "intraday"
  readonly format: string
  readonly bankId: string
  readonly number: number | null
  readonly page: number | null
  /** IBAN, or another identification. */
  readonly iban: string | null
  readonly currency: string | null
  readonly from: string | null
  readonly to: string | null
  readonly opening: number | null
  readonly openingOn: string | null
  readonly closing: number | null
  readonly closingOn: string | null
  readonly createdAt: string | null
}

/** A transaction as the columns of the table name it. */
export interface TransactionRow {
  readonly position: number
  readonly amount: number
  readonly currency: string
  readonly status: "booked" | "pending" | "information"
  readonly booked_on: string
  readonly value_on: string | null
  readonly reversal: boolean
  readonly text: string
  readonly end_to_end_id: string | null
  readonly creditor_reference: string | null
  readonly mandate_id: string | null
  readonly creditor_id: string | null
  readonly bank_reference: string | null
  readonly counter_name: string | null
  readonly counter_iban: string | null
  readonly counter_bic: string | null
  readonly gvc: string | null
  readonly code: Readonly<Record<string, string>>
  readonly purpose: string | null
  readonly return_reason: string | null
}

/** What the bookings of a statement amount to. */
export interface StatementSummary {
  readonly transactions: number
  /** Sum of booked entries in minor units; null when they have several currencies. */
  readonly booked: number | null
  readonly firstDay: string | null
  readonly lastDay: string | null
  readonly detailsDoNotSum: number
  readonly detailsElsewhere: number
  /** SHA-256 of the transactions, equal for statements with equal contents. */
  readonly fingerprint: string
}

export const headOf = ({ account, balances, ...statement }: Statement): StatementHead => {
  const opening = balanceOf(balances, ["OPBD", "PRCD"])
  const closing = balanceOf(balances, statement.kind === "EndOfDay" ? ["CLBD"] : ["CLBD", "ITBD"])
  const created = createdDay(statement.createdAt)
  return {
    kind: statement.kind === "EndOfDay" ? "end_of_day" : "intraday",
    format: clean(statement.format, maxField),
    bankId: clean(statement.id, maxField),
    number: bounded(statement.number),
    page: bounded(statement.page),
    iban: optional(identification(account), maxField),
    currency: account.currency ?? opening?.amount.currency ?? closing?.amount.currency ?? null,
    from: statement.from ?? opening?.date ?? null,
    // A range that ends at midnight names the day after; the closing balance names the day itself.
    to: (statement.kind === "EndOfDay" ? closing?.date : undefined) ?? statement.to ?? closing?.date ?? created ?? null,
    opening: opening === undefined ? null : minor(opening.amount),
    openingOn: opening?.date ?? null,
    closing: closing === undefined ? null : minor(closing.amount),
    closingOn: closing?.date ?? null,
    createdAt: optional(statement.createdAt, maxField)
  }
}

/** A balance of the statement; that of a page when there is no other. */
const balanceOf = (balances: ReadonlyArray<Balance>, codes: ReadonlyArray<string>): Balance | undefined => {
  for (const intermediate of [false, true])
    for (const code of codes) {
      const found = balances.find((one) => one.code === code && one.intermediate === intermediate)
      if (found !== undefined) return found
    }
  return undefined
}

/** Number of a statement as Postgres can store it. Source: Postgres `int`. */
const bounded = (value: number | undefined): number | null =>
  value === undefined || value > 2_147_483_647 ? null : value

const createdDay = (text: string | undefined): string | undefined => {
  try {
    return text === undefined ? undefined : day(text)
  } catch {
    return undefined
  }
}

const minor = ({ minor: value }: Amount): number => {
  const number = Number(value)
  if (Math.abs(number) > maxMinor) throw tooLarge("maxMinor")
  return number
}

/** Collects the transactions of one statement. Throws `BankFormatsError`. */
export class StatementRows {
  readonly #head: StatementHead
  readonly #hash: Hash = createHash("sha256")
  #count = 0
  #booked = 0n
  #currency: string | undefined
  #mixed = false
  #first: string | null = null
  #last: string | null = null
  #doNotSum = 0
  #elsewhere = 0

  constructor(head: StatementHead) {
    this.#head = head
    this.#currency = head.currency ?? undefined
  }

  /** Rows of an entry. */
  rows(entry: Entry): ReadonlyArray<TransactionRow> {
    const { to, from } = this.#head
    const bookedOn = entry.bookingDate ?? entry.valueDate ?? to ?? from
    if (bookedOn === null) throw malformed("an entry has no date")
    this.#currency ??= entry.amount.currency
    if (entry.status === "Booked") {
      this.#booked += entry.amount.minor
      if (entry.amount.currency !== this.#currency) this.#mixed = true
    }
    if (this.#first === null || bookedOn < this.#first) this.#first = bookedOn
    if (this.#last === null || bookedOn > this.#last) this.#last = bookedOn
    if (entry.finding === "DetailsDoNotSum") this.#doNotSum++
    if (entry.finding === "DetailsElsewhere") this.#elsewhere++
    return entry.transactions.map((one) => {
      const row = rowOf(entry, one, bookedOn, this.#count++)
      this.#hash.update(content(row))
      return row
    })
  }

  summary(): StatementSummary {
    const booked = this.#mixed ? null : minor({ minor: this.#booked, currency: "" })
    return {
      transactions: this.#count,
      booked,
      firstDay: this.#first,
      lastDay: this.#last,
      detailsDoNotSum: this.#doNotSum,
      detailsElsewhere: this.#elsewhere,
      fingerprint: this.#hash.digest("hex")
    }
  }
}

/** What two files must share for their transactions to be equal. */
const content = (row: TransactionRow): string =>
  `${row.amount}\0${row.currency}\0${row.status}\0${row.booked_on}\0${row.text}\0${row.end_to_end_id ?? ""}\0${
    row.counter_iban ?? ""
  }\0${row.bank_reference ?? ""}\n`

const statuses = { Booked: "booked", Pending: "pending", Information: "information" } as const

const rowOf = (entry: Entry, one: Transaction, bookedOn: string, position: number): TransactionRow => {
  const { counterparty, remittance } = one
  const { gvc, ...code } = { ...entry.code, ...one.code }
  return {
    position,
    amount: minor(one.amount),
    currency: one.amount.currency,
    status: statuses[entry.status],
    booked_on: bookedOn,
    value_on: entry.valueDate ?? null,
    reversal: entry.reversal,
    text: textOf(entry, one),
    end_to_end_id: optional(one.endToEndId, maxField),
    creditor_reference: optional(remittance.references[0], maxField),
    mandate_id: optional(one.mandateId, maxField),
    creditor_id: optional(one.creditorId, maxField),
    bank_reference: optional(one.bankReference ?? entry.bankReference, maxField),
    counter_name: optional(counterparty.name, maxField),
    counter_iban: optional(counterparty.iban?.toUpperCase(), maxField),
    counter_bic: optional(counterparty.bic, maxField),
    gvc: gvc ?? null,
    code: cleaned({ ...code, counter_account: counterparty.account, ultimate_party: one.ultimateParty }),
    purpose: optional(one.purpose, maxField),
    return_reason: optional(one.returnReason, maxField)
  }
}

/** Payment reference, with numbers of documents that only the structured part names. */
const textOf = (entry: Entry, { info, remittance }: Transaction): string => {
  const text = remittance.text === "" ? (info ?? entry.info ?? "") : remittance.text
  const numbers = [...remittance.documents.map((one) => one.number), ...remittance.references.slice(1)]
  const more = numbers.filter((number) => number !== undefined && number !== "" && !text.includes(number))
  return clean(more.length === 0 ? text : [text, ...more].join(" ").trim(), maxText)
}

const cleaned = (code: Readonly<Record<string, string | undefined>>): Record<string, string> => {
  const kept: Record<string, string> = {}
  for (const name in code) {
    const value = code[name]
    if (value !== undefined) kept[name] = clean(value, maxField)
  }
  return kept
}

const optional = (text: string | undefined, longest: number): string | null => {
  if (text === undefined) return null
  const found = clean(text, longest)
  return found === "" ? null : found
}

/** Text that Postgres stores: without NUL and half characters, and not too long. */
const clean = (text: string, longest: number): string => {
  const short = text.length > longest ? text.slice(0, longest) : text
  return (short.includes("\0") ? short.replaceAll("\0", "") : short).toWellFormed()
}
