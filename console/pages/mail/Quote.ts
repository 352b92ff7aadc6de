/** What a reply or a forwarded mail begins with. Pure. */
import { written } from "./Recipients.ts"
import type { Address, Message } from "./Shapes.ts"

/**
 * How much of the other mail is taken along. Unit: UTF-16 units. Reason: the whole body may be a megabyte on the way
 * out.
 */
const maxQuoted = 200_000

/** "Re: " and "Fwd: " once, however often and in which of the usual ways they stand there already. */
export const subjectFor = (kind: "Re" | "Fwd", subject: string): string => {
  const bare = subject.replace(/^(?:\s*(?:re|aw|antw|fwd?|wg)(?:\[\d+\])?\s*:\s*)+/i, "")
  return `${kind}: ${kind === "Fwd" ? subject.replace(/^(?:\s*(?:fwd?|wg)\s*:\s*)+/i, "") : bare}`.trim()
}

/** Each line behind a `>`. Source: RFC 3676 §4.5, quotes of quotes stand closer. */
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
 * Who a reply goes to: those whom the sender names for it, else the sender; of a mail of one's own, those it went to.
 * To all: the others of the mail as copies, each once, without oneself.
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
  // Who writes to themselves means it.
  const first = once(to)
  return { to: line(first.length === 0 ? to : first), cc: line(once(others)) }
}

const line = (list: ReadonlyArray<Address>): string => list.map(written).join(", ")

/** Text escaped for HTML, as a compose link's body comes, as it was. */
export const unescaped = (text: string): string =>
  text.replace(/&#(\d{1,7});/g, (_, code: string) => String.fromCodePoint(Number(code)))

/** A text as a page that looks like it. */
export const pageOf = (text: string): string =>
  `<div style="white-space: pre-wrap">${text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`).replace(/\n/g, "<br>\n")}</div>`
