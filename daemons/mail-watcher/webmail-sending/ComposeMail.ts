/**
 * Composes a mail with nodemailer. The library may read no file and no URL that the mail names. The mail reveals
 * nothing about the client or this program. The composed mail contains Bcc for the sender's copy; `replaceFields`
 * removes it before sending.
 */
import { convert } from "html-to-text"
import MailComposer from "nodemailer/lib/mail-composer"
import { mailDate } from "./MailHeader.ts"
import type { NamedAddress } from "./NamedAddress.ts"

/** Largest mail. Unit: bytes. Reason: 25 MiB of files as base64 and some room; mail servers accept 35 to 50 MB. */
export const maxComposed = 35 * 1024 * 1024

export interface Attachment {
  /** Id of the upload. */
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
  /** Sanitised. */
  readonly html: string | undefined
  readonly plain: string | undefined
  /** Message-ID with angle brackets, like all message IDs here. */
  readonly messageId: string
  readonly inReplyTo: string | undefined
  readonly references: ReadonlyArray<string>
  readonly date: Date
  readonly attachments: ReadonlyArray<Attachment>
}

/** Content-ID of an upload, without angle brackets. */
export const contentId = (upload: string): string => `${upload}@signalbox`

/**
 * Longest HTML that is converted to text. Unit: characters. Reason: converting blocks the event loop for tenths of a
 * second; the HTML part is complete.
 */
const maxPage = 256 * 1024

/** Text of a sanitised page. A page that was not sanitised could nest so deeply that this takes a minute. */
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
    // As text, because the library formats a Date object differently.
    headers: { Date: mailDate(content.date) },
    attachments: content.attachments.map(({ content, content_type, id, name }) => ({
      filename: name,
      content,
      contentType: content_type,
      // Inline if the page references it, else an attachment.
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
