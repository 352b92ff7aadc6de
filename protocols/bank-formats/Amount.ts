/** Amounts as whole numbers of minor units. Pure; no floating point anywhere. Source: ISO 4217, ISO 20022, SWIFT. */
import { failure } from "./BankFormatsError.ts"

/** `minor`: signed number of minor units, for example cents; above 0 is money for the account. */
export interface Amount {
  readonly minor: bigint
  readonly currency: string
}

/**
 * Reads an unsigned decimal number. `separator`: `.` in camt, `,` in MT, where `1000,` is allowed. More decimals than
 * those of the currency are accepted only as zeros. Throws `BadAmount`.
 */
export const parseAmount = (text: string, currency: string, separator: "." | ","): Amount => {
  if (!/^[A-Z]{3}$/.test(currency)) throw failure({ _tag: "BadAmount" })
  const [, whole, fraction = ""] = (separator === "." ? withPoint : withComma).exec(text) ?? []
  if (whole === undefined) throw failure({ _tag: "BadAmount" })
  const digits = decimals(currency)
  if (/[1-9]/.test(fraction.slice(digits))) throw failure({ _tag: "BadAmount" })
  return { minor: BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0")), currency }
}

/** Source: ISO 20022, `ActiveOrHistoricCurrencyAndAmount`: 18 digits, of them 5 decimals. More zeros do not harm. */
const withPoint = /^\+?(\d{1,18})(?:\.(\d{1,18}))?$/
/** Source: SWIFT, 15d. */
const withComma = /^(\d{1,15})(?:,(\d{0,15}))?$/

/** Number of decimals of a currency. Source: ISO 4217 list one, 2026; 2 for all that are not listed. */
export const decimals = (currency: string): number => unusualDecimals[currency] ?? 2

/** Currencies with another number of decimals than 2. */
export const unusualDecimals: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0])
  ),
  ...Object.fromEntries("BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3])),
  CLF: 4,
  UYW: 4
}

export const negated = ({ currency, minor }: Amount): Amount => ({ minor: -minor, currency })

/** The amount as decimal text with a point, for example `-12.50`. */
export const formatAmount = ({ currency, minor }: Amount): string => {
  const digits = decimals(currency)
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, "0")
  const sign = minor < 0n ? "-" : ""
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
