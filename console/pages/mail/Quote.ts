/** Initial content of replies and forwarded mails. Pure. */
import { written } from "./Recipients.ts"
import type { Address, Message } from "./Shapes.ts"

/** Longest quoted text. Unit: UTF-16 units. Reason: sent mails are limited to a megabyte of text. */
const maxQuoted = 200_000

/** Subject with a single "Re: " or "Fwd: ", even when it already has several of the usual prefixes. */
export const subjectFor = (kind: "Re" | "Fwd", subject: string): string => {
  const bare = subject.replace(/^(?:\s*(?:re|aw|antw|fwd?|wg)(?:\[\d+\])?\s*:\s*)+/i, "")
  return `${kind}: ${kind === "Fwd" ? subject.replace(/^(?:\s*(?:fwd?|wg)\s*:\s*)+/i, "") : bare}`.trim()
}

/** Prefixes each line with `>`. Source: RFC 3676 §4.5; nested quotes get no extra space. */
export const quoted = (text: string): string =>
  text
    .slice(0, maxQuoted)
    .replace(/\r\n?/g, "\n")
    .trimEnd()
    .split("\n")
    .map((line) => (line.startsWith(">") ? `>${line}` : line === "" ? ">" : `> ${line}`))
    .join("\n")

export const unquotedText = (text: string): string => text.slice(0, maxQuoted).replace(/\r\n?/g, "\n").trimEnd()

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/**
 * Recipients of a reply: the Reply-To addresses, else the sender. For a mail that the user sent, its recipients. A
 * reply to all adds the other recipients as Cc, once each and without the user.
 */
export const recipientsOf = (
  message: Pick<Message, "cc" | "from" | "reply_to" | "to">,
  own: string,
  all: boolean
): { readonly to: string; readonly cc: string } => {
  const mine = message.from.some(({ address }) => same(address, own))
  const to = mine ? message.to : message.reply_to.length > 0 ? message.reply_to : message.from
  const others = all ? [...(mine ? [] : message.to), ...message.cc] : []
  const seen = new Set([own.toLowerCase()])
  const once = (list: ReadonlyArray<Address>) =>
    list.filter(({ address }) => !seen.has(address.toLowerCase()) && seen.add(address.toLowerCase()))
  // A mail to oneself is answered to oneself.
  const first = once(to)
  return { to: line(first.length === 0 ? to : first), cc: line(once(others)) }
}

const line = (list: ReadonlyArray<Address>): string => list.map(written).join(", ")

/** Decodes the character references in the body of a compose link, which the server escaped for HTML. */
export const unescaped = (text: string): string =>
  text.replace(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Number(code)))

/** Text as HTML with the same appearance. */
export const pageOf = (text: string): string =>
  `<div style="white-space: pre-wrap">${text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/\n/g, "<br>\n")}</div>`
