/**
 * Reads the first bytes of a message header with postal-mime, for messages whose structure exceeds our limits. Returns
 * the same fields as the server's envelope. Never throws.
 */
import type { MessageAddressObject, MessageEnvelopeObject } from "imapflow"
import PostalMime, { type Address, type Email } from "postal-mime"

export interface PlainHead {
  readonly envelope: MessageEnvelopeObject
  readonly references: string
  /** Whether the Content-Type announces several parts, mixed. */
  readonly mixed: boolean
}

export const plainHead = async (header: Uint8Array | undefined): Promise<PlainHead> => {
  const mail: Partial<Email> = await PostalMime.parse(
    Buffer.concat([Buffer.from(header ?? []), Buffer.from("\r\n\r\n")])
  ).catch(() => ({}))
  const type = mail.headers?.find(({ key }) => key === "content-type")?.value ?? ""
  return {
    envelope: {
      ...(mail.date === undefined ? {} : { date: mail.date }),
      ...(mail.subject === undefined ? {} : { subject: mail.subject }),
      ...(mail.messageId === undefined ? {} : { messageId: mail.messageId }),
      ...(mail.inReplyTo === undefined ? {} : { inReplyTo: mail.inReplyTo }),
      from: list(mail.from === undefined ? [] : [mail.from]),
      to: list(mail.to),
      cc: list(mail.cc),
      bcc: list(mail.bcc),
      replyTo: list(mail.replyTo)
    },
    references: mail.references ?? "",
    mixed: /^\s*multipart\/(?:mixed|report|digest)/i.test(type)
  }
}

const list = (found: ReadonlyArray<Address> | undefined): Array<MessageAddressObject> =>
  (found ?? []).flatMap((entry): ReadonlyArray<MessageAddressObject> =>
    "group" in entry && entry.group !== undefined ? entry.group : [entry as MessageAddressObject]
  )
