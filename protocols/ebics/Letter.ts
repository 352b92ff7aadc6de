/**
 * Contents of the letters that prove our keys to the bank: INI for the signature key, HIA for the other two. Pure: it
 * makes the lines, not the page. The bank compares the hash with that of the key that it received.
 * Source: EBICS 2.5 §4.4.1.2.3 and Annex 1; customary layout of the German banks.
 */
import type { KeyObject } from "node:crypto"
import * as Certificate from "./Certificate.ts"
import * as Keys from "./Keys.ts"
import type { SentKey } from "./PublicKeyInfo.ts"

/** One key of a letter. */
export interface LetterKey {
  /** `A005`, `A006`, `X002` or `E002`. */
  readonly version: string
  readonly exponent: LetterNumber
  readonly modulus: LetterNumber
  /** SHA-256 of the public key, or of the certificate when there is one; two lines of 16 bytes. */
  readonly hash: ReadonlyArray<string>
  /** PEM of the certificate, only in H005. */
  readonly certificate?: string
}

export interface LetterNumber {
  /** Length without leading zero bits. */
  readonly bits: number
  /** Upper-case hexadecimal bytes, separated by blanks, 16 a line. */
  readonly lines: ReadonlyArray<string>
}

export const letterKey = (version: string, { certificate, key }: SentKey): LetterKey => {
  const { exponent, modulus } = Keys.numbersOf(key)
  return {
    version,
    exponent: number(exponent),
    modulus: number(modulus),
    hash: hashLines(certificate === undefined ? Keys.digest(key) : Certificate.fingerprint(certificate)),
    ...(certificate === undefined ? {} : { certificate: Certificate.pem(certificate) })
  }
}

/** A hash as banks print it: upper-case hexadecimal bytes, separated by blanks, 16 a line. */
export const hashLines = (hash: Uint8Array): ReadonlyArray<string> => hexLines(hash)

/** Hash of a bank's key, for a person who compares it with the bank's letter. */
export const bankKeyHash = (key: KeyObject): ReadonlyArray<string> => hexLines(Keys.digest(key))

const number = (bytes: Buffer): LetterNumber => ({ bits: Keys.bitLength(bytes), lines: hexLines(bytes) })

/** Bytes of one line. */
const bytesPerLine = 16

const hexLines = (bytes: Uint8Array): ReadonlyArray<string> => {
  const pairs = Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0"))
  const lines: Array<string> = []
  for (let at = 0; at < pairs.length; at += bytesPerLine) lines.push(pairs.slice(at, at + bytesPerLine).join(" "))
  return lines
}
