/**
 * Extracts subject, body and sender from a mail. Never fails: every mail must appear in the ledger, even an unreadable
 * one. Pure. Runs both inline and in a worker thread. It must not import core, because every thread would load it
 * again.
 */
import { isUtf8 } from "node:buffer"
import PostalMime, { decodeWords } from "postal-mime"
import { messageIds } from "#protocols/mail-address/MessageId.ts"
import { fromAddresses } from "./HeaderFrom.ts"
import { cleanLine, cleanText, htmlToPlain } from "./MailText.ts"

/** Parts of a mail that an alarm uses. */
export interface ParsedMail {
  /** Decoded and unfolded; empty when missing. */
  readonly subject: string
  /** Plain text, else the text of the HTML part. */
  readonly body: string
  /** Addresses of the From header, joined by `, `; the undecoded header when its form is unusual. */
  readonly from: string
  readonly messageId: string | undefined
  /** Message IDs of In-Reply-To, each as `<id>`. */
  readonly inReplyTo: ReadonlyArray<string>
  /**
   * Topmost Authentication-Results header, unfolded and complete. Undefined when missing or too long; lower ones are
   * never used.
   */
  readonly authenticationResults: string | undefined
  /** False when the MIME parts could not be parsed; `body` is then the raw text. */
  readonly whole: boolean
}

/** Longest subject. Unit: UTF-16 code units. Reason: far more than twenty targets with long URLs. */
const maxSubject = 16 * 1024

/** Longest message ID. Unit: UTF-16 code units. Source: RFC 5322 §2.1.1, longest line. */
const maxMessageId = 998

/** Maximum number of message IDs read from In-Reply-To. Reason: a reply usually names one mail; several are rare. */
const maxReplyIds = 20

/**
 * Longest Authentication-Results header. Unit: UTF-16 code units. Reason: real ones are below 2,000; a truncated one
 * could be misread.
 */
const maxAuthenticationResults = 8_000

/** Deepest nesting of multiparts. Unit: levels. Reason: real mails have about 6; more indicates an attack. */
const maxNesting = 30

/**
 * Maximum number of lines that look like part boundaries. Reason: a part costs 10 µs; real mails have fewer than a
 * hundred.
 */
const maxParts = 10_000

/** Largest header block that is read. Unit: bytes. */
const maxHeaderBlock = 256 * 1024

/** Longest raw text shown of a mail that cannot be parsed. Unit: bytes. */
const maxRawText = 64 * 1024

/** Parses a mail. `maxBody`: longest body, in UTF-16 code units. */
export const parse = async (raw: Uint8Array, maxBody: number): Promise<ParsedMail> => {
  const bytes = inUtf8(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
  if (headerEnd(bytes) > maxHeaderBlock || countsOf(bytes, "\n--", maxParts) >= maxParts)
    return parseHeader(raw, maxBody)
  try {
    const mail = await PostalMime.parse(bytes, { maxNestingDepth: maxNesting, forceRfc822Attachments: true })
    const plain = mail.text ?? ""
    return {
      ...words(mail.headers, raw.byteLength >= maxHeaderBlock && headerEnd(bytes) === bytes.length),
      body: cleanText(plain.trim() !== "" || mail.html === undefined ? plain : htmlToPlain(mail.html), maxBody),
      whole: true
    }
  } catch {
    // The library throws when its limits are exceeded, which only malicious mails do.
    return parseHeader(raw, maxBody)
  }
}

/** Parses only the header and returns the raw text after it, for mails whose parts cannot be parsed. */
export const parseHeader = async (raw: Uint8Array, maxBody: number): Promise<ParsedMail> => {
  const bytes = inUtf8(Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, maxHeaderBlock + maxRawText)))
  const end = headerEnd(bytes)
  const { headers } = await PostalMime.parse(bytes.subarray(0, Math.min(end, maxHeaderBlock)))
  return {
    ...words(headers, end >= maxHeaderBlock),
    body: cleanText(bytes.subarray(end, end + maxRawText).toString("utf8"), maxBody),
    whole: false
  }
}

/** Extracts the needed headers. `cut`: the header block was truncated, so its last header may be incomplete. */
const words = (headers: ReadonlyArray<{ readonly key: string; readonly value: string }>, cut: boolean) => {
  const values = (key: string) => headers.filter((header) => header.key === key).map((header) => header.value)
  const first = (key: string) => headers.find((header) => header.key === key)?.value ?? ""
  const messageId = messageIds([first("message-id")], 1)[0] ?? cleanLine(first("message-id"), maxMessageId)
  // Each server adds its header at the top, so the first one comes from our own server. Senders can forge the lower
  // ones.
  const at = headers.findIndex((header) => header.key === "authentication-results")
  const results = headers[at]?.value ?? ""
  const whole = results !== "" && results.length <= maxAuthenticationResults && !(cut && at === headers.length - 1)
  return {
    subject: cleanLine(decodeWords(first("subject")), maxSubject),
    from: cleanLine(fromAddresses(values("from")), maxSubject),
    messageId: messageId === "" ? undefined : messageId,
    inReplyTo: messageIds(values("in-reply-to"), maxReplyIds),
    authenticationResults: whole ? cleanLine(results, maxAuthenticationResults) : undefined
  }
}

/** Offset of the empty line after the header; the length of the mail when there is none. Source: RFC 5322 §2.1. */
const headerEnd = (bytes: Buffer): number => {
  if (bytes[0] === 0x0a || (bytes[0] === 0x0d && bytes[1] === 0x0a)) return 0
  const ends = [bytes.indexOf("\n\n"), bytes.indexOf("\n\r\n")].filter((at) => at !== -1)
  return ends.length === 0 ? bytes.length : Math.min(...ends) + 1
}

/**
 * Converts undeclared 8-bit text to UTF-8, because devices send it without a charset. Bytes that are not UTF-8 are read
 * as windows-1252: always in the header, and in the body if there is no Content-Type.
 */
const inUtf8 = (bytes: Buffer): Buffer => {
  const end = headerEnd(bytes)
  const header = bytes.subarray(0, end)
  const undeclared = !/^content-type:/im.test(header.subarray(0, maxHeaderBlock).toString("latin1"))
  const body = bytes.subarray(end)
  const converted = [
    isUtf8(header) ? header : fromWestern(header),
    !undeclared || isUtf8(body) ? body : fromWestern(body)
  ]
  return converted[0] === header && converted[1] === body ? bytes : Buffer.concat(converted)
}

const fromWestern = (bytes: Buffer): Buffer => Buffer.from(new TextDecoder("windows-1252").decode(bytes))

/** Number of occurrences of `text`, counted up to `most`. */
const countsOf = (bytes: Buffer, text: string, most: number): number => {
  let count = 0
  for (let at = bytes.indexOf(text); at !== -1 && count < most; at = bytes.indexOf(text, at + text.length)) count++
  return count
}
