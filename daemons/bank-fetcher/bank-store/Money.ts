/**
 * Amounts at the edge of the daemon: decimal text such as `-12.50` outside, whole minor units such as cents inside.
 * Pure; no floating point.
 */
import { decimals, formatAmount, parseAmount } from "#protocols/bank-formats/Amount.ts"

/** Largest amount. Unit: minor units. Reason: JavaScript's largest exact integer. */
export const maxMinor = Number.MAX_SAFE_INTEGER

/** Minor units of a decimal text; undefined when it is no amount of this currency or too large. */
export const minorOf = (text: string, currency: string): number | undefined => {
  const negative = text.startsWith("-")
  try {
    const minor = Number(parseAmount(negative ? text.slice(1) : text, currency, ".").minor)
    return minor > maxMinor ? undefined : negative ? 0 - minor : minor
  } catch {
    return undefined
  }
}

/** Decimal text of minor units, with the currency's own number of decimals. */
export const decimalOf = (minor: number, currency: string): string => formatAmount({ minor: BigInt(minor), currency })

/** Smallest step of a currency, as decimal text: `0.01` for EUR. */
export const stepOf = (currency: string): string => {
  const digits = decimals(currency)
  return digits === 0 ? "1" : `0.${"1".padStart(digits, "0")}`
}
