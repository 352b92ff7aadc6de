/** Schema of a mail in requests that send it or store it as a draft. */
import { Schema } from "effect"
import { boundedList } from "#core/http/BoundedList.ts"
import { messageIds } from "#protocols/mail-address/MessageId.ts"
import { BodyUid } from "../webmail-reading/Exports.ts"
import { maxNamedAddress, parseNamedAddress } from "./NamedAddress.ts"
import { UploadId } from "./uploads/Api.ts"

/**
 * Maximum number of recipients of a mail, all fields together. Unit: addresses. Reason: mail servers accept as many;
 * more is a newsletter.
 */
export const maxRecipients = 100

/** Maximum number of attachments of a mail. */
export const maxAttachments = 50

/** Longest subject. Unit: UTF-16 code units. Source: RFC 5322 §2.1.1, one unfolded line. */
const maxSubject = 998

/** Longest text and HTML. Unit: UTF-16 code units. Reason: the request body has at most a megabyte. */
const maxText = 1024 * 1024

const oneLine = (maximum: number) =>
  Schema.String.pipe(
    Schema.check(
      Schema.isMaxLength(maximum),
      Schema.makeFilter((text: string) =>
        /\p{Cc}/u.test(text) || !text.isWellFormed() ? "must not contain control characters" : undefined
      )
    )
  )

/** `a@b` or `Name <a@b>`. */
export const NamedAddressText = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(maxNamedAddress),
    Schema.makeFilter((text: string) =>
      text.length <= maxNamedAddress && parseNamedAddress(text) === undefined
        ? "must be a mail address, such as a@example.org or Name <a@example.org>"
        : undefined
    )
  )
)

const Mailboxes = Schema.optionalKey(boundedList(NamedAddressText, { minimum: 0, maximum: maxRecipients }))

const text = Schema.String.pipe(
  Schema.check(
    Schema.isMaxLength(maxText),
    Schema.makeFilter((value: string) =>
      value.includes("\0") || !value.isWellFormed() ? "must be text, without NUL" : undefined
    )
  )
)

/** One Message-ID, with or without angle brackets. */
const MessageId = oneLine(998).pipe(
  Schema.check(
    Schema.makeFilter((value: string) =>
      messageIds([value], 2).length === 1 ? undefined : "must be one Message-ID, such as <id@example.org>"
    )
  )
)

const fields = {
  to: Mailboxes,
  cc: Mailboxes,
  bcc: Mailboxes,
  subject: Schema.optionalKey(oneLine(maxSubject)),
  /** Sanitised before sending. */
  html: Schema.optionalKey(text),
  /** Default: generated from `html`. */
  plain: Schema.optionalKey(text),
  /** Message-ID of the answered mail. */
  in_reply_to: Schema.optionalKey(MessageId),
  reply_to: Schema.optionalKey(NamedAddressText),
  /** Default: the account's display name. */
  from_name: Schema.optionalKey(oneLine(200)),
  /** Ids of uploaded files. */
  attachments: Schema.optionalKey(boundedList(UploadId, { minimum: 0, maximum: maxAttachments }))
}

/** Key of a letter's drafts. It becomes part of their Message-ID. */
export const DraftKey = Schema.String.pipe(
  Schema.check(Schema.isPattern(/^[A-Za-z0-9_-]{16,64}$/, { message: "must be 16 to 64 letters, digits, - or _" }))
)

export const DraftBody = Schema.Struct({
  ...fields,
  /**
   * Random key of the letter: 16 to 64 letters, digits, `-` or `_`. An earlier draft with the same key is replaced, so
   * a repeated request stores no second draft.
   */
  draft_key: Schema.optionalKey(DraftKey)
}).annotate({ identifier: "DraftMail" })

export const MailBody = Schema.Struct({
  ...fields,
  /** Draft to delete after sending. */
  draft: Schema.optionalKey(BodyUid),
  /** Key of the drafts to delete after sending. */
  draft_key: Schema.optionalKey(DraftKey)
}).annotate({ identifier: "Mail" })

export type MailBody = typeof MailBody.Type
