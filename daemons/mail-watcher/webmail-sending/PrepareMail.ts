/**
 * Prepares a requested mail: parses addresses, sanitises the HTML, loads attachments, finds the answered message, and
 * composes the mail.
 */
import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { HtmlWorker } from "#core/html/HtmlWorker.ts"
import { type FieldProblem, InvalidRequest, Unavailable } from "#core/http/Problem.ts"
import { messageIds } from "#protocols/mail-address/MessageId.ts"
import { type Account, MailSessions } from "../accounts/Exports.ts"
import * as AnsweredMessage from "./AnsweredMessage.ts"
import { type MailContent, compose, contentId, maxComposed } from "./ComposeMail.ts"
import { TooLarge } from "./Errors.ts"
import type { MailBody } from "./MailBody.ts"
import { type NamedAddress, parseNamedAddress } from "./NamedAddress.ts"
import * as Uploads from "./uploads/Store.ts"

export interface Prepared {
  readonly content: MailContent
  /** Composed mail, with Bcc. */
  readonly raw: Buffer
  readonly answered: AnsweredMessage.Answered | undefined
}

export const domainOf = ({ address }: Account): string => address.slice(address.lastIndexOf("@") + 1)

/** New Message-ID in the domain of the account. Source: RFC 5322 §3.6.4. */
export const newMessageId = (account: Account): string => `<${randomUUID()}@${domainOf(account)}>`

/** Prepares and composes the mail. */
export const prepare = Effect.fnUntraced(function* (account: Account, body: MailBody, messageId: string) {
  const uploads = yield* Uploads.named(account, body.attachments ?? [])
  const unknown = (body.attachments ?? []).flatMap((id, index): ReadonlyArray<FieldProblem> =>
    uploads.some((upload) => upload.id === id)
      ? []
      : [{ field: `payload.attachments[${index}]`, message: "The file does not exist" }]
  )
  if (unknown.length > 0) return yield* new InvalidRequest({ errors: unknown })
  // Size as base64.
  const size = (uploads.reduce((sum, upload) => sum + upload.size, 0) * 4) / 3
  if (size > maxComposed) return yield* tooLarge
  const inReplyTo = body.in_reply_to === undefined ? undefined : messageIds([body.in_reply_to], 1)[0]
  const answered =
    inReplyTo === undefined
      ? undefined
      : yield* Effect.flatMap(MailSessions, ({ use }) =>
          use(account, (client) => AnsweredMessage.find(client, inReplyTo))
        )
  const html = body.html === undefined ? undefined : yield* clean(body.html, body.attachments ?? [])
  const attachments = yield* Effect.forEach(uploads, (upload) =>
    Effect.map(Uploads.content(account, upload), (content) => ({ ...upload, content }))
  )
  const content: MailContent = {
    from: { name: body.from_name ?? account.display_name, address: account.address },
    to: mailboxes(body.to),
    cc: mailboxes(body.cc),
    bcc: mailboxes(body.bcc),
    replyTo: body.reply_to === undefined ? undefined : parseNamedAddress(body.reply_to),
    subject: body.subject ?? "",
    html,
    plain: body.plain,
    messageId,
    inReplyTo,
    references: inReplyTo === undefined ? [] : (answered?.references ?? [inReplyTo]),
    date: new Date(yield* Clock.currentTimeMillis),
    attachments
  }
  const raw = yield* Effect.promise(() => compose(content))
  if (raw.length > maxComposed) return yield* tooLarge
  return { content, raw, answered } satisfies Prepared as Prepared
})

export const tooLarge = new TooLarge({
  limit: maxComposed,
  detail: `The mail may have at most ${maxComposed} bytes, encoded and with all files.`
})

const mailboxes = (texts: ReadonlyArray<string> | undefined): ReadonlyArray<NamedAddress> =>
  (texts ?? []).flatMap((text) => parseNamedAddress(text) ?? [])

/** Stands for an inline file during sanitising, because the sanitiser refuses `cid:` URLs. */
const placeholder = (upload: string): string => `https://inline.invalid/${upload}`

const clean = Effect.fnUntraced(function* (html: string, uploads: ReadonlyArray<string>) {
  const worker = yield* HtmlWorker
  const wrong = (message: string) => new InvalidRequest({ errors: [{ field: "payload.html", message }] })
  const page = yield* worker
    .sanitise(html, {
      // Remote images stay; the reader's mail client decides whether to load them.
      remoteImages: "show",
      inlineImages: new Map(uploads.map((id) => [contentId(id), placeholder(id)]))
    })
    .pipe(
      Effect.mapError((error) =>
        error.reason === "TimedOut"
          ? wrong("takes too long to sanitise")
          : new Unavailable({ detail: "The mail cannot be prepared right now. Try again." })
      )
    )
  if (page.truncated) return yield* wrong("is too long, or its elements are nested too deeply")
  return uploads.reduce((text, id) => text.replaceAll(placeholder(id), `cid:${contentId(id)}`), page.html)
})
