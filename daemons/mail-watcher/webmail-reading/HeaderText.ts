/** Words of strangers' headers made fit for an answer: one line each, bounded, nothing that turns the reading direction around. Pure. */
import type { MessageAddressObject } from "imapflow"

/** Longest subject, name or address. Unit: UTF-16 units. Source: RFC 5322 §2.1.1, the longest line, and some of them. */
export const maxWords = 2_000

/** Addresses of one header that are shown. Unit: addresses. Reason: more is a list, and the raw message has it. */
export const maxAddresses = 500

export interface Address {
  readonly name: string
  readonly address: string
}

/** Marks that override the order in which text is read, by which `gnp.exe` shows as `exe.png`. Source: Unicode UAX #9. */
const overrides = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

const plain = /^[\x20-\x7e]*$/

/** Nothing in it needs a second look, nor to be cut: most of what a list shows. */
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

/** The time as the sender says; else when it came in. Null: neither is one. */
export const sentAt = (said: Date | string | undefined, received: Date | string | undefined): string | null => {
  for (const date of [said, received]) {
    if (date === undefined) continue
    const time = new Date(date)
    if (time.getTime() > 0) return iso(time)
  }
  return null
}

/** Below 100, with two digits. */
const digits: ReadonlyArray<string> = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"))

/** In a third of the time that the engine takes for it, and a list of 50 wants 50. */
const iso = (time: Date): string => {
  const year = time.getUTCFullYear()
  if (year > 9999 || time.getUTCMilliseconds() !== 0) return time.toISOString()
  const day = `${year}-${digits[time.getUTCMonth() + 1]}-${digits[time.getUTCDate()]}`
  return `${day}T${digits[time.getUTCHours()]}:${digits[time.getUTCMinutes()]}:${digits[time.getUTCSeconds()]}.000Z`
}
