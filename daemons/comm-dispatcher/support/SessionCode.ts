/**
 * The code of a support session. Pure, except `newCode`. Digits only: they are read out alike in every language and can
 * be typed on a telephone.
 */
import { randomInt } from "node:crypto"

/**
 * Length of a code. Unit: digits. Reason: with a hundred open sessions a guess on the telephone succeeds once in a
 * million.
 */
export const codeDigits = 8

/** A random code in its stored form. */
export const newCode = (): string => String(randomInt(0, 10 ** codeDigits)).padStart(codeDigits, "0")

/** The form for reading out: two groups of four. */
export const spoken = (code: string): string => `${code.slice(0, codeDigits / 2)}-${code.slice(codeDigits / 2)}`

/** The stored form of a code as somebody types it, with or without separators; undefined for other text. */
export const codeOf = (typed: string): string | undefined => {
  const digits = typed.replace(/[\s-]/g, "")
  return /^[0-9]+$/.test(digits) && digits.length === codeDigits ? digits : undefined
}
