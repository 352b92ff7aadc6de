/** What people should look at in statements, and the sentences about it. Pure. */
import { decimalOf } from "../bank-store/Money.ts"
import type { FindingCode } from "./Views.ts"

export interface Finding {
  readonly code: FindingCode
  readonly values: Readonly<Record<string, string | number>>
}

/** Findings that depend on the statements before; they are found again with each new statement. */
export const chainCodes: ReadonlySet<FindingCode> = new Set(["number_gap", "balance_break"])

/** A statement of the end of a day, as far as its place among the others counts. Amounts: minor units. */
export interface ChainLink {
  readonly id: string
  readonly number: number | null
  readonly page: number | null
  readonly currency: string | null
  readonly opening: number | null
  readonly closing: number | null
  /** Last day. */
  readonly day: string
}

/** Findings about the order of the statements of one account, by id. `links` need no order. */
export const chainFindings = (links: ReadonlyArray<ChainLink>): ReadonlyMap<string, ReadonlyArray<Finding>> => {
  const ordered = links.toSorted(
    (a, b) =>
      compare(a.day, b.day) || (a.number ?? 0) - (b.number ?? 0) || (a.page ?? 0) - (b.page ?? 0) || follow(a, b)
  )
  const found = new Map<string, ReadonlyArray<Finding>>()
  for (const [at, link] of ordered.entries()) {
    const before = ordered[at - 1]
    if (before === undefined) continue
    const finding = gap(before, link) ?? brokenBalance(before, link)
    if (finding !== undefined) found.set(link.id, [finding])
  }
  return found
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Two statements of a day without numbers: the one first whose closing balance is the other's opening balance. */
const follow = (a: ChainLink, b: ChainLink) => {
  if (a.closing !== null && a.closing === b.opening) return -1
  return b.closing !== null && b.closing === a.opening ? 1 : 0
}

/** Missing statements between two. Banks count from 1 each year, or never start again. */
const gap = (before: ChainLink, link: ChainLink): Finding | undefined => {
  if (before.number === null || link.number === null) return undefined
  const next = before.number + 1
  if (link.number === before.number || link.number === next) return undefined
  const isNewYear = before.day.slice(0, 4) !== link.day.slice(0, 4)
  if (isNewYear && link.number === 1) return undefined
  const first = isNewYear && link.number < next ? 1 : next
  return link.number > first
    ? { code: "number_gap", values: { number: link.number, from: first, to: link.number - 1 } }
    : undefined
}

const brokenBalance = (before: ChainLink, link: ChainLink): Finding | undefined =>
  before.closing === null ||
  link.opening === null ||
  before.closing === link.opening ||
  before.currency !== link.currency ||
  link.currency === null
    ? undefined
    : {
        code: "balance_break",
        values: {
          opening: decimalOf(link.opening, link.currency),
          closing: decimalOf(before.closing, link.currency),
          currency: link.currency
        }
      }

/** A statement with its bookings, as far as its own contents count. Amounts: minor units. */
export interface Contents {
  readonly kind: "end_of_day" | "intraday"
  readonly currency: string | null
  readonly opening: number | null
  readonly closing: number | null
  /** Sum of booked entries; null: several currencies. */
  readonly booked: number | null
  readonly detailsDoNotSum: number
  readonly detailsElsewhere: number
}

/** Findings of a statement alone. `accountCurrency`: undefined for an unknown account. */
export const ownFindings = (contents: Contents, accountCurrency: string | undefined): ReadonlyArray<Finding> => {
  const { booked, closing, currency, detailsDoNotSum, detailsElsewhere, kind, opening } = contents
  const found: Array<Finding> = []
  if (accountCurrency === undefined) found.push({ code: "unknown_account", values: {} })
  else if (currency !== null && currency !== accountCurrency)
    found.push({ code: "currency_differs", values: { currency, account_currency: accountCurrency } })
  if (kind === "end_of_day" && opening !== null && closing !== null && currency !== null && booked !== null) {
    if (opening + booked !== closing)
      found.push({
        code: "sum_differs",
        values: { booked: decimalOf(booked, currency), difference: decimalOf(closing - opening, currency), currency }
      })
  }
  if (detailsDoNotSum > 0) found.push({ code: "details_do_not_sum", values: { count: detailsDoNotSum } })
  if (detailsElsewhere > 0) found.push({ code: "details_elsewhere", values: { count: detailsElsewhere } })
  return found
}

/** English sentence of a finding. */
export const findingText = ({ code, values }: Finding): string => {
  const value = (name: string) => String(values[name] ?? "")
  switch (code) {
    case "unknown_account":
      return "No account has this IBAN. Create the account, and the statement belongs to it."
    case "same_number_again":
      return `An earlier statement has the same number ${value("number")}.`
    case "number_gap":
      return values["from"] === values["to"]
        ? `Statement ${value("from")} is missing.`
        : `Statements ${value("from")} to ${value("to")} are missing.`
    case "balance_break":
      return (
        `The opening balance is ${value("opening")} ${value("currency")}, but the statement before closed with ` +
        `${value("closing")} ${value("currency")}.`
      )
    case "sum_differs":
      return (
        `The bookings sum to ${value("booked")} ${value("currency")}, but the balances differ by ` +
        `${value("difference")} ${value("currency")}.`
      )
    case "details_do_not_sum":
      return `The details of ${value("count")} batches do not sum to the batch, which is one transaction each.`
    case "details_elsewhere":
      return `The bank sends the details of ${value("count")} batches in another file, so each is one transaction.`
    case "currency_differs":
      return `The statement is in ${value("currency")}, but the account is in ${value("account_currency")}.`
    case "matched_booking_vanished":
      return (
        `A matched booking of ${value("amount")} ${value("currency")} on ${value("booked_on")} is not in this ` +
        "statement. Its payment stays until a person undoes it."
      )
  }
}
