/**
 * Initial content of a new mail, from the URL of its page: a compose link, a message to reply to or forward, or a
 * draft.
 */
import { call } from "../../lib/Call.ts"
import { moment } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { filesOf } from "./Attachments.tsx"
import { attachmentPath } from "./Download.ts"
import { type Beginning, draftKeyOf } from "./Letter.ts"
import { quoted, recipientsOf, subjectFor, unescaped, unquotedText } from "./Quote.ts"
import { written } from "./Recipients.ts"
import type { Message } from "./Shapes.ts"

const t = words({
  en: {
    wrote: (who: string, when: string) => `On ${when}, ${who} wrote:`,
    somebody: "somebody",
    forwarded: "Forwarded message",
    from: "From",
    to: "To",
    cc: "Cc",
    date: "Date",
    subject: "Subject"
  },
  de: {
    wrote: (who: string, when: string) => `Am ${when} schrieb ${who}:`,
    somebody: "jemand",
    forwarded: "Weitergeleitete Nachricht",
    from: "Von",
    to: "An",
    cc: "Kopie",
    date: "Datum",
    subject: "Betreff"
  }
})

export type Query = Readonly<Record<string, string | undefined>>

const nothing: Beginning = {
  to: "",
  cc: "",
  bcc: "",
  subject: "",
  text: "",
  inReplyTo: undefined,
  draft: undefined,
  draftKey: undefined,
  files: []
}

/** `own`: address of the sending account. */
export const beginningOf = async (query: Query, account: string | undefined, own: string): Promise<Beginning> => {
  const kind = (["reply", "all", "forward", "draft"] as const).find((kind) => /^[1-9]\d{0,9}$/.test(query[kind] ?? ""))
  if (kind === undefined) return await linked(query, account)
  const folder = query["folder"] ?? "INBOX"
  const message = await call("GET /api/v1/mail/webmail/messages/:folder/:uid", {
    params: { folder, uid: query[kind]! },
    query: { account }
  })
  const files = filesOf({ ...message, html: kind === "draft" ? null : message.html }).map(
    ({ filename, media_type, part }) => ({
      path: attachmentPath(account, message, part),
      name: filename,
      type: media_type
    })
  )
  if (kind === "draft") {
    const line = (list: Message["to"]) => list.map(written).join(", ")
    return {
      to: line(message.to),
      cc: line(message.cc),
      bcc: line(message.bcc),
      subject: message.subject,
      text: unquotedText(message.text),
      inReplyTo: message.in_reply_to ?? undefined,
      draft: message.uid,
      draftKey: draftKeyOf(message.message_id, own),
      files
    }
  }
  if (kind === "forward")
    return { ...nothing, subject: subjectFor("Fwd", message.subject), text: forwardedText(message), files }
  return {
    ...nothing,
    ...recipientsOf(message, own, kind === "all"),
    subject: subjectFor("Re", message.subject),
    text: `\n\n${t().wrote(written(message.from[0] ?? { name: "", address: t().somebody }), message.date === null ? "?" : moment(message.date))}\n${quoted(message.text)}\n`,
    inReplyTo: message.message_id ?? undefined
  }
}

const forwardedText = (message: Message): string =>
  [
    "",
    "",
    `-------- ${t().forwarded} --------`,
    `${t().from}: ${message.from.map(written).join(", ")}`,
    ...(message.date === null ? [] : [`${t().date}: ${moment(message.date)}`]),
    `${t().subject}: ${message.subject}`,
    `${t().to}: ${message.to.map(written).join(", ")}`,
    ...(message.cc.length === 0 ? [] : [`${t().cc}: ${message.cc.map(written).join(", ")}`]),
    "",
    unquotedText(message.text),
    ""
  ].join("\n")

/** Fields from a compose link, sanitised by the server, because anybody can write such a link. */
const linked = async (query: Query, account: string | undefined): Promise<Beginning> => {
  const given = Object.fromEntries(
    ["to", "cc", "subject", "body", "mailto"]
      .map((name) => [name, query[name]])
      .filter(([, value]) => value !== undefined && value !== "")
  )
  if (Object.keys(given).length === 0) return nothing
  const { body, cc, subject, to } = await call("GET /api/v1/mail/webmail/compose", { query: { account, ...given } })
  return { ...nothing, to: to.join(", "), cc: cc.join(", "), subject, text: unescaped(body) }
}
