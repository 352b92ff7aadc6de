/** A message as a list item. Pure. */
import { decodeWords } from "postal-mime"
import type { BodyPart } from "#protocols/imap-watch/BodyPart.ts"
import { charactersOf } from "#protocols/imap-watch/Characters.ts"
import type { ListedMessage } from "#protocols/imap-watch/ListedMessage.ts"
import { isPlain, maxWords, oneLine, sentAt } from "../HeaderText.ts"

export interface ListItem {
  readonly uid: number
  readonly from_addr: string
  readonly from_name: string
  readonly subject: string
  readonly date: string | null
  readonly flags: ReadonlyArray<string>
  readonly seen: boolean
  readonly flagged: boolean
  readonly answered: boolean
  readonly has_attachments: boolean
  readonly size: number
}

/**
 * Bytes of a field that are decoded. Unit: bytes. Reason: `maxWords` characters of three UTF-8 bytes, each as three
 * characters of an encoded word, plus its frame.
 */
const maxField = 16 * maxWords

/** Undefined: the server left out a requested item. */
export const listItem = ({
  body,
  envelope,
  flags = [],
  internalDate,
  size = 0,
  uid
}: ListedMessage): ListItem | undefined => {
  if (uid === undefined || envelope === undefined || body === undefined) return undefined
  const { date, from, subject } = envelope
  return {
    uid,
    from_addr: line(from?.address),
    from_name: unquoted(words(from?.name)),
    subject: words(subject),
    date: sentAt(date?.slice(0, maxField), internalDate),
    ...marksOf(flags),
    has_attachments: carriesFiles(body),
    size
  }
}

export const marksOf = (flags: ReadonlyArray<string>) => ({
  flags: flags.map((flag) => (isPlain(flag) ? flag.trim() : oneLine(flag))),
  seen: flags.includes("\\Seen"),
  flagged: flags.includes("\\Flagged"),
  answered: flags.includes("\\Answered")
})

const unquoted = (name: string): string => (name.startsWith('"') ? name.replace(/^"(.+)"$/, "$1") : name)

const line = (bytes = ""): string => (isPlain(bytes) ? bytes.trim() : oneLine(charactersOf(bytes.slice(0, maxField))))

const words = (bytes = ""): string => {
  if (isPlain(bytes) && !bytes.includes("=?")) return bytes.trim()
  const text = charactersOf(bytes.slice(0, maxField))
  return oneLine(text.includes("=?") ? decodeWords(text) : text)
}

/** Whether the message has an attachment. Images inside an HTML page do not count. */
export const carriesFiles = ({ disposition, identified, named, parts, type }: BodyPart, within = ""): boolean => {
  if (type.startsWith("multipart/")) return parts.some((part) => carriesFiles(part, type))
  if (disposition === "attachment") return true
  if (type === "text/plain" || type === "text/html") return named
  return (
    !(within === "multipart/related" && identified) &&
    type !== "application/pgp-signature" &&
    type !== "application/pkcs7-signature"
  )
}
