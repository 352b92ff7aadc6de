/**
 * What a decision reads of nearly each candidate, by the position of the invoice. It stands in typed arrays that fit
 * into the processor's cache, because fetching an object of each candidate from memory takes longer than the decision.
 */
import type { OpenInvoice } from "./Model.ts"

export interface Columns {
  /**
   * Open amount at `2 * position`, and less the cash discount behind it; `noAmount` without one. Both are clamped, so a
   * large amount may equal another one: who needs certainty compares the invoice.
   */
  readonly amounts: Int32Array
  /** Id of the customer; -1: none. */
  readonly customers: Int32Array
  /** Day of issue at `2 * position`, and the due day behind it, from 1970. */
  readonly days: Int32Array
}

/** Largest clamped amount. Unit: minor units. */
const largest = 2 ** 31 - 1

const noAmount = -(2 ** 31)

/** The amount as `amounts` has it. It keeps its sign. */
export const clamped = (amount: number): number => Math.max(-largest, Math.min(largest, amount))

const millisecondsOfDay = 86_400_000

/** Number of a day, ISO 8601, from 1970. */
export const dayOf = (date: string): number => Date.parse(date) / millisecondsOfDay

export const make = (count: number): Columns => ({
  amounts: new Int32Array(2 * count),
  customers: new Int32Array(count),
  days: new Int32Array(2 * count)
})

/** Writes what the invoice has now. */
export const put = ({ amounts, customers, days }: Columns, position: number, invoice: OpenInvoice): void => {
  const { customerId, discount, dueOn, issuedOn, open } = invoice
  amounts[2 * position] = clamped(open)
  amounts[2 * position + 1] = discount === null ? noAmount : clamped(open - discount.amount)
  customers[position] = customerId ?? -1
  days[2 * position] = dayOf(issuedOn)
  days[2 * position + 1] = dayOf(dueOn)
}

/** True when the invoice may be paid by an amount, which is clamped. */
export const mayPay = ({ amounts }: Columns, position: number, amount: number): boolean =>
  amounts[2 * position] === amount || amounts[2 * position + 1] === amount
