/**
 * Cleans text from message headers for answers: one line, bounded length, no marks that change the reading direction.
 * Pure.
 */
import type { MessageAddressObject } from "imapflow"

/** Longest subject, name or address. Unit: UTF-16 code units. Reason: twice the longest line of RFC 5322 §2.1.1. */
export const maxWords = 2_000

/** Maximum number of addresses shown per header field. Reason: the raw message has the rest. */
export const maxAddresses = 500

export interface Address {
  readonly name: string
  readonly address: string
}

/** Marks that override the reading direction and can show `gnp.exe` as `exe.png`. Source: Unicode UAX #9. */
const overrides = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

const plain = /^[\x20-\x7e]*$/

/** Whether the text needs no cleaning or cutting, as most texts of a list. */
export const isPlain = (text: string): boolean => text.length <= maxWords && plain.test(text)

export const oneLine = (text: unknown, maximum = maxWords): string => {
  const said = String(text ?? "").slice(0, 4 * maximum)
  if (plain.test(said)) return said.trim().slice(0, maximum)
  return said
    .toWellFormed()
    .replace(overrides, "")
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, maximum)
    .toWellFormed()
}

export const addresses = (list: ReadonlyArray<MessageAddressObject> | undefined): ReadonlyArray<Address> =>
  (list ?? []).slice(0, maxAddresses).map(({ address, name }) => ({ name: oneLine(name), address: oneLine(address) }))

/** Time from the Date field, else the time of arrival. Null: neither is valid. */
export const sentAt = (said: Date | string | undefined, received: Date | string | undefined): string | null => {
  for (const date of [said, received]) {
    if (date === undefined) continue
    const time = new Date(date)
    if (time.getTime() > 0) return iso(time)
  }
  return null
}

/** Two-digit numbers below 100. */
const digits: ReadonlyArray<string> = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"))

/** Formats a time in a third of the time of `toISOString`; a list of 50 messages needs 50 of them. */
const iso = (time: Date): string => {
  const year = time.getUTCFullYear()
  if (year > 9999 || time.getUTCMilliseconds() !== 0) return time.toISOString()
  const day = `${year}-${digits[time.getUTCMonth() + 1]}-${digits[time.getUTCDate()]}`
  return `${day}T${digits[time.getUTCHours()]}:${digits[time.getUTCMinutes()]}:${digits[time.getUTCSeconds()]}.000Z`
}
