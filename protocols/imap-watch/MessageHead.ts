/**
 * What is told of a message, from its header fields as a server gave them. Pure. They were written by whoever sent the
 * message: texts come out bounded, without control characters, and sayable in JSON whatever they held. Sources: RFC
 * 5322 §3.6, RFC 2047.
 */
import { addressParser, decodeWords } from "postal-mime"
import { charactersOf } from "./Characters.ts"

export interface MessageHead {
  /** The address alone, never the name before it; empty when there is none. */
  readonly fromAddr: string
  /** Decoded. */
  readonly subject: string
  /** As it stands, in its brackets; empty when there is none. */
  readonly messageId: string
}

/**
 * Longest of each. Unit: characters. Reason: a header line is at most 998 (RFC 5322 §2.1.1); beyond that it is no help
 * to anybody.
 */
export const maxTextLength = 1_000

/**
 * How much of a From is read for its address. Unit: characters. Reason: a name of 200 encoded ones fits, and the time
 * grows with the square: 8 KiB of colons take 100 ms.
 */
const maxFrom = 2_000

/** `bytes`: the fields From, Subject and Message-ID, one character a byte; the last one may be cut off. */
export const readHead = (bytes: string): MessageHead => {
  const fields = new Map<string, string>()
  for (const line of bytes.replace(/\r?\n(?=[ \t])/g, "").split(/\r?\n/)) {
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
    // The first one counts, as mail programs have it.
    if (name !== "" && !fields.has(name)) fields.set(name, line.slice(colon + 1))
  }
  return {
    fromAddr: tidy(addressOf((fields.get("from") ?? "").slice(0, maxFrom))),
    subject: tidy(decodeWords(charactersOf(fields.get("subject") ?? ""))),
    messageId: tidy(fields.get("message-id") ?? "")
  }
}

const addressOf = (from: string): string => {
  const [first] = addressParser(charactersOf(from), { flatten: true })
  return first?.address ?? ""
}

const tidy = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()
    .slice(0, maxTextLength)
    .toWellFormed()
