/** Composes the mail that reports problems of the alarm path to operators. Source of the headers: RFC 3834 §5. */
import { createHash } from "node:crypto"
import type { Brand } from "../config/BrandSettings.ts"
import { brandSigned, presentBrand } from "../html/Brand.ts"
import type { Notice, Trouble } from "./Troubles.ts"

/** Maximum number of notices written out in one mail; the rest is only counted. */
const mostLines = 50

/** Longest line of a notice. Unit: characters. */
const maxLine = 300

export interface NoticeMail {
  readonly subject: string
  readonly text: string
  /** Same for the same notices, so that a mail reader merges a mail that was sent twice. */
  readonly messageId: string
  readonly headers: Readonly<Record<string, string>>
}

/** Suppresses automatic replies such as vacation notices. */
const headers = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" }

/**
 * Composes the mail. `host`: this machine's name; `reminder`: interval of reminders, in words; `now`: epoch
 * milliseconds.
 */
export const compose = (
  notices: ReadonlyArray<Notice>,
  {
    daemon,
    host,
    now,
    reminder
  }: { readonly daemon: string; readonly host: string; readonly now: number; readonly reminder: string },
  brand: Brand = presentBrand()
): NoticeMail => {
  const of = (kind: Notice["kind"]) => notices.filter((notice) => notice.kind === kind).map(({ trouble }) => trouble)
  const [news, still, over] = [of("new"), of("still"), of("over")]
  const section = (
    title: string,
    troubles: ReadonlyArray<Trouble>,
    lines: (trouble: Trouble) => ReadonlyArray<string>
  ) =>
    troubles.length === 0
      ? []
      : [
          title,
          "",
          ...troubles.slice(0, mostLines).flatMap((trouble) => [...lines(trouble), ""]),
          ...(troubles.length > mostLines ? [`… and ${troubles.length - mostLines} more.`, ""] : [])
        ]
  const open = (trouble: Trouble) => [
    `* ${line(trouble.what)}`,
    trouble.once === true
      ? `  at: ${at(trouble.since)}`
      : `  since: ${at(trouble.since)} (${lasting(now - trouble.since)})`,
    `  do: ${line(trouble.advice)}`
  ]
  return {
    subject: subjectOf(news, still, over, host, brand.brandName),
    text: brandSigned(
      [
        `${daemon} on ${host} reports this by mail because the alarm path itself may be broken.`,
        "",
        ...section("WRONG NOW", news, open),
        ...section("STILL WRONG", still, open),
        ...section("OVER", over, (trouble) => [`* ${line(trouble.what)}`, `  began: ${at(trouble.since)}`]),
        `A reminder follows every ${reminder} while the trouble lasts, and a last mail when it is over. ` +
          "See all: signalbox health, signalbox alarm list"
      ].join("\n"),
      brand
    ),
    messageId: `<notice.${identity(notices)}@${hostPart(host)}>`,
    headers
  }
}

const subjectOf = (
  news: ReadonlyArray<Trouble>,
  still: ReadonlyArray<Trouble>,
  over: ReadonlyArray<Trouble>,
  host: string,
  name: string
): string => {
  const [first] = [...news, ...still, ...over]
  const count = news.length + still.length + over.length
  const word = news.length > 0 ? "" : still.length > 0 ? "still: " : "over: "
  const what = first === undefined ? "nothing" : line(first.what)
  const more = count > 1 ? ` (and ${count - 1} more)` : ""
  return `${name} on ${host}: ${word}${what}${more}`
}

const identity = (notices: ReadonlyArray<Notice>): string =>
  createHash("sha256")
    .update(notices.map(({ kind, trouble }) => `${kind} ${trouble.key} ${trouble.since}`).join("\n"))
    .digest("hex")
    .slice(0, 32)

/** A host name that is valid after the @ of a message id. */
const hostPart = (host: string): string => (/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(host) ? host : "signalbox.invalid")

/** Reduces a text to one line of bounded length. */
const line = (text: string): string => {
  const flat = text.replace(/[\p{C}\s]+/gu, " ").trim()
  return flat.length <= maxLine ? flat : `${flat.slice(0, maxLine)}…`
}

const at = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`

const lasting = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  return minutes < 1
    ? "under a minute"
    : minutes < 120
      ? `${minutes} min`
      : minutes < 48 * 60
        ? `${Math.floor(minutes / 60)} h`
        : `${Math.floor(minutes / 1_440)} days`
}
