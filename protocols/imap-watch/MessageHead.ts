/**
 * Sender, subject and message id of a message, for its announcement. Pure. The sender of the message controls these
 * header fields, so the results are shortened, free of control characters, and valid JSON strings. Sources: RFC 5322
 * §3.6, RFC 2047.
 */
import { addressParser, decodeWords } from "postal-mime"
import { charactersOf } from "./Characters.ts"

export interface MessageHead {
  /** Address of the sender without the display name; empty when there is none. */
  readonly fromAddr: string
  /** Subject with its encoded words decoded. */
  readonly subject: string
  /** Message id in angle brackets, as received; empty when there is none. */
  readonly messageId: string
  /** Whether a mail server delivered the message; false for what a mail program stored. Source: RFC 5321 §4.4. */
  readonly isDelivered: boolean
}

/**
 * Longest text of a field. Unit: characters. Reason: a header line has at most 998 characters (RFC 5322 §2.1.1); more
 * is of no use.
 */
export const maxTextLength = 1_000

/**
 * How much of a From field is parsed. Unit: characters. Reason: a name of 200 encoded characters fits. Parsing takes
 * quadratic time: 8 KiB of colons take 100 ms.
 */
const maxFrom = 2_000

/**
 * Parses the fields From, Subject, Message-ID and Return-Path. `bytes`: one character per byte; the last field may be
 * cut off.
 */
export const readHead = (bytes: string): MessageHead => {
  const fields = new Map<string, string>()
  for (const line of bytes.replace(/\r?\n(?=[ \t])/g, "").split(/\r?\n/)) {
    const colon = line.indexOf(":")
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
    // The first of repeated fields wins, as in mail programs.
    if (name !== "" && !fields.has(name)) fields.set(name, line.slice(colon + 1))
  }
  return {
    fromAddr: tidy(addressOf((fields.get("from") ?? "").slice(0, maxFrom))),
    subject: tidy(decodeWords(charactersOf(fields.get("subject") ?? ""))),
    messageId: tidy(fields.get("message-id") ?? ""),
    isDelivered: fields.has("return-path")
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
