/**
 * From the bytes of a mail to the words of an alarm: subject, body, sender. Total: whatever the bytes are, something
 * comes out, because a mail that cannot be read still has to appear in the ledger. No I/O; runs inline and in a worker
 * alike, which is why it imports nothing of the frame: the thread would load all of it for each mail.
 */
import { isUtf8 } from "node:buffer"
import PostalMime, { decodeWords } from "postal-mime"
import { messageIds } from "#protocols/mail-address/MessageId.ts"
import { fromAddresses } from "./HeaderFrom.ts"
import { cleanLine, cleanText, htmlToPlain } from "./MailText.ts"

/** The words of a mail. */
export interface ParsedMail {
  /** Decoded and unfolded; empty when there is none. */
  readonly subject: string
  /** Plain text, else the text of the HTML. */
  readonly body: string
  /** Addresses of the header From joined by `, `, or the header itself when it is of no plain shape. */
  readonly from: string
  readonly messageId: string | undefined
  /** The message ids of In-Reply-To, each `<id>`. */
  readonly inReplyTo: ReadonlyArray<string>
  /**
   * The topmost Authentication-Results, unfolded and whole; undefined when it is too long, whatever stands below it.
   */
  readonly authenticationResults: string | undefined
  /** False: the MIME parts were beyond reading; `body` is the text as it stands. */
  readonly whole: boolean
}

/** Longest subject. Unit: UTF-16 units. Reason: twenty targets with long URLs stay far below. */
const maxSubject = 16 * 1024

/** Unit: UTF-16 units. Source: RFC 5322 §2.1.1, longest line. */
const maxMessageId = 998

/** Message ids taken from In-Reply-To. Unit: ids. Reason: an answer answers one mail; a digest of several is rare. */
const maxReplyIds = 20

/** Longest Authentication-Results. Unit: UTF-16 units. Reason: real ones have below 2,000; half of one would lie. */
const maxAuthenticationResults = 8_000

/** Deepest multipart. Unit: levels. Reason: real mails nest to about 6; deeper ones are made to hurt. */
const maxNesting = 30

/** Most lines that could open a MIME part. Unit: lines. Reason: a part costs 10 µs; real mails have below a hundred. */
const maxParts = 10_000

/** How much of a header block is read. Unit: bytes. */
const maxHeaderBlock = 256 * 1024

/** How much of the text is shown of a mail that cannot be taken apart. Unit: bytes. */
const maxRawText = 64 * 1024

/** `maxBody`: longest body, in UTF-16 units. */
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
    // The library throws on what passes its limits, which only a mail made to hurt does.
    return parseHeader(raw, maxBody)
  }
}

/** The header, and the text after it as it stands: for mails whose parts are beyond reading. */
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

/** `cut`: the header block goes on behind what was read, so that the last header may be half of one. */
const words = (headers: ReadonlyArray<{ readonly key: string; readonly value: string }>, cut: boolean) => {
  const values = (key: string) => headers.filter((header) => header.key === key).map((header) => header.value)
  const first = (key: string) => headers.find((header) => header.key === key)?.value ?? ""
  const messageId = messageIds([first("message-id")], 1)[0] ?? cleanLine(first("message-id"), maxMessageId)
  // Each server writes above what it got: the first is the last server's. Never a lower one, which anybody may have
  // written.
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

/** Where the empty line after the header begins; the length when there is none. Source: RFC 5322 §2.1. */
const headerEnd = (bytes: Buffer): number => {
  if (bytes[0] === 0x0a || (bytes[0] === 0x0d && bytes[1] === 0x0a)) return 0
  const ends = [bytes.indexOf("\n\n"), bytes.indexOf("\n\r\n")].filter((at) => at !== -1)
  return ends.length === 0 ? bytes.length : Math.min(...ends) + 1
}

/**
 * Devices write 8-bit text without saying in which charset. What is not UTF-8 is taken for windows-1252: the header
 * always, the body when no Content-Type speaks for it.
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

/** How often `text` occurs, counted up to `most`. */
const countsOf = (bytes: Buffer, text: string, most: number): number => {
  let count = 0
  for (let at = bytes.indexOf(text); at !== -1 && count < most; at = bytes.indexOf(text, at + text.length)) count++
  return count
}
