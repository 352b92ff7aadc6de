/** Amounts that people type and that the page adds up, in whole minor units such as cents. Pure; no floating point. */

/** Number of decimals of a currency. Source: ISO 4217, as the browser knows it. */
export const decimals = (currency: string): number => {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    return 2
  }
}

/** Longest number of digits before the decimals that stays exact. Source: `Number.MAX_SAFE_INTEGER`. */
const mostDigits = 13

/**
 * Minor units of a typed amount; undefined when the text is no amount of the currency. The last point or comma
 * separates the decimals; all others, blanks and apostrophes group thousands: `1.234,50`, `1,234.50`, `1234.5`.
 */
export const typedMinor = (text: string, currency: string): number | undefined => {
  const digits = decimals(currency)
  const bare = text.trim().replace(/[\s\u00a0\u202f'’]/gu, "")
  const [, sign = "", whole, fraction = ""] = /^(-?)(\d[\d.,]*?)(?:[.,](\d{0,4}))?$/.exec(bare) ?? []
  if (whole === undefined) return undefined
  // "1.000" is a thousand where the currency has no three decimals.
  const isGroup = fraction.length === 3 && digits < 3
  const grouped = isGroup ? `${whole}.${fraction}` : whole
  if (!/^(\d+|[1-9]\d{0,2}([.,]\d{3})+)$/.test(grouped)) return undefined
  const units = grouped.replace(/[.,]/g, "")
  const rest = isGroup ? "" : fraction
  if (units.length > mostDigits || /[1-9]/.test(rest.slice(digits))) return undefined
  const minor = Number(units + rest.slice(0, digits).padEnd(digits, "0"))
  return sign === "" || minor === 0 ? minor : -minor
}

/** Minor units of a decimal text of the server, such as `-12.50`. */
export const minorOf = (amount: string, currency: string): number => {
  const digits = decimals(currency)
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(amount) ?? []
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, "0"))
  return sign === "" || minor === 0 ? minor : -minor
}

/** Decimal text for the server. */
export const decimalOf = (minor: number, currency: string): string => {
  const digits = decimals(currency)
  const text = String(Math.abs(minor)).padStart(digits + 1, "0")
  const sign = minor < 0 ? "-" : ""
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** IBAN in groups of four. Source: ISO 13616, paper format. */
export const ibanText = (iban: string): string => iban.replace(/(.{4})(?=.)/g, "$1 ")

/** Decimal text of a typed amount; the text itself when it is none, so that the server says what is wrong. */
export const typedAmount = (text: string, currency: string): string => {
  const minor = typedMinor(text, currency)
  return minor === undefined ? text.trim() : decimalOf(minor, currency)
}
