/** Reads a stored draft for sending. */
import type { ImapFlow } from "imapflow"
import PostalMime, { type Address } from "postal-mime"
import { messageIds } from "#protocols/mail-address/MessageId.ts"
import { NotFound } from "#core/http/Problem.ts"
import { MailRefused } from "../accounts/Exports.ts"
import { forUse, inFolder } from "../webmail-changes/Exports.ts"
import { maxComposed } from "./ComposeMail.ts"
import { maxHeaderBlock, valuesOf } from "./MailHeader.ts"
import { type NamedAddress, parseNamedAddress } from "./NamedAddress.ts"

/**
 * Maximum number of separators in the address fields of a draft. Reason: more than 100 recipients are refused, and
 * postal-mime takes a second for 250 kB of colons.
 */
const maxSeparators = 1_000

export interface StoredDraft {
  readonly raw: Buffer
  readonly from: ReadonlyArray<string>
  readonly recipients: ReadonlyArray<NamedAddress>
  /** Its Message-ID, if it has one. */
  readonly messageId: string | undefined
  readonly inReplyTo: string | undefined
}

export const read = async (client: ImapFlow, uid: number): Promise<StoredDraft> => {
  const folder = await forUse(client, "\\Drafts")
  if (folder === undefined) throw gone
  const raw = await inFolder(client, folder, async () => {
    const { content } = await client.download(String(uid), undefined, { uid: true, maxBytes: maxComposed + 1 })
    if (content === undefined) throw gone
    const pieces: Array<Buffer> = []
    for await (const piece of content) pieces.push(piece as Buffer)
    return Buffer.concat(pieces)
  })
  if (raw.length > maxComposed) throw new MailRefused({ detail: `The draft is larger than ${maxComposed} bytes.` })
  return parsed(raw)
}

/** Parses the header of the draft. */
export const parsed = async (raw: Buffer): Promise<StoredDraft> => {
  const addresses = ["from", "to", "cc", "bcc"].flatMap((name) => valuesOf(raw, name)).join(",")
  if ((addresses.match(/[,:;]/g) ?? []).length > maxSeparators)
    throw new MailRefused({ detail: "The draft has too many recipients." })
  const end = raw.indexOf("\r\n\r\n")
  const mail = await PostalMime.parse(raw.subarray(0, Math.min(end < 0 ? raw.length : end + 4, maxHeaderBlock)))
  return {
    raw,
    from: flat(mail.from === undefined ? [] : [mail.from]).map(({ address }) => address),
    recipients: flat([...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])]),
    messageId: messageIds(valuesOf(raw, "message-id"), 1)[0],
    inReplyTo: messageIds(valuesOf(raw, "in-reply-to"), 1)[0]
  }
}

/** Flattens groups and drops invalid addresses. */
const flat = (addresses: ReadonlyArray<Address>): ReadonlyArray<NamedAddress> =>
  addresses.flatMap(({ address, group, name }) =>
    group !== undefined
      ? flat(group as ReadonlyArray<Address>)
      : [parseNamedAddress(address ?? "")].flatMap((mailbox) =>
          mailbox === undefined ? [] : [{ name: name ?? "", address: mailbox.address }]
        )
  )

export const gone = new NotFound({ detail: "The draft does not exist." })
