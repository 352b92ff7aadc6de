/**
 * A mail as it goes out. The library reads no file and no address of the net, whatever stands in the mail; nothing of the client or of
 * this program is told. Blind recipients stand in the copy that the sender keeps (`Headers.replaceFields` takes them out).
 */
import { convert } from "html-to-text"
import MailComposer from "nodemailer/lib/mail-composer"
import { mailDate } from "./MailHeader.ts"
import type { NamedAddress } from "./NamedAddress.ts"

/** Largest mail. Unit: bytes. Reason: 25 MiB of files as base64, and room; mail servers take 35 to 50 MB. */
export const maxComposed = 35 * 1024 * 1024

export interface Attachment {
  /** Of the upload. */
  readonly id: string
  readonly name: string
  readonly content_type: string
  readonly content: Buffer
}

export interface MailContent {
  readonly from: NamedAddress
  readonly to: ReadonlyArray<NamedAddress>
  readonly cc: ReadonlyArray<NamedAddress>
  readonly bcc: ReadonlyArray<NamedAddress>
  readonly replyTo: NamedAddress | undefined
  readonly subject: string
  /** Clean. */
  readonly html: string | undefined
  readonly plain: string | undefined
  /** With angle brackets, as all ids here. */
  readonly messageId: string
  readonly inReplyTo: string | undefined
  readonly references: ReadonlyArray<string>
  readonly date: Date
  readonly attachments: ReadonlyArray<Attachment>
}

/** Content-ID of an upload, without angle brackets. */
export const contentId = (upload: string): string => `${upload}@signalbox`

/** Most of a page that becomes text. Unit: characters. Reason: it is done on the event loop, in tenths of a second; the page itself has all. */
const maxPage = 256 * 1024

/** Text of a clean page: one that was not cleaned may nest so deep that this takes a minute. */
export const textOf = (html: string): string =>
  convert(html.slice(0, maxPage), {
    wordwrap: 78,
    limits: { maxDepth: 64, maxChildNodes: 10_000, ellipsis: "…" },
    selectors: [
      { selector: "img", format: "skip" },
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } }
    ]
  })

export const compose = (content: MailContent): Promise<Buffer> => {
  const html = content.html
  const composer = new MailComposer({
    from: { ...content.from },
    to: content.to.map((mailbox) => ({ ...mailbox })),
    cc: content.cc.map((mailbox) => ({ ...mailbox })),
    bcc: content.bcc.map((mailbox) => ({ ...mailbox })),
    ...(content.replyTo === undefined ? {} : { replyTo: { ...content.replyTo } }),
    subject: content.subject,
    text: content.plain ?? (html === undefined ? "" : textOf(html)),
    ...(html === undefined ? {} : { html }),
    messageId: content.messageId,
    ...(content.inReplyTo === undefined ? {} : { inReplyTo: content.inReplyTo }),
    ...(content.references.length === 0 ? {} : { references: [...content.references] }),
    // As text: the library writes a date object in words of its own.
    headers: { Date: mailDate(content.date) },
    attachments: content.attachments.map(({ content, content_type, id, name }) => ({
      filename: name,
      content,
      contentType: content_type,
      // Shown in its place where the page names it, else listed.
      ...(html?.includes(`cid:${contentId(id)}`)
        ? { cid: contentId(id), contentDisposition: "inline" as const }
        : { contentDisposition: "attachment" as const })
    })),
    disableFileAccess: true,
    disableUrlAccess: true
  })
  const message = composer.compile()
  message.keepBcc = true
  return message.build()
}
