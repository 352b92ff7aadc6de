/** A page of the messages of a folder, as they stand in a list. */
import type { FetchMessageObject, FetchQueryObject, ImapFlow, MessageStructureObject } from "imapflow"
import { openFolder } from "../../sessions/Folder.ts"
import { oneLine, sentAt } from "./MailWords.ts"
import { plainHead } from "./PlainHead.ts"
import { select, type Selected, type Wanted } from "./Selection.ts"

export interface ListItem {
  readonly uid: number
  readonly from_addr: string
  readonly from_name: string
  readonly subject: string
  readonly date: string | null
  readonly flags: ReadonlyArray<string>
  readonly seen: boolean
  readonly flagged: boolean
  readonly answered: boolean
  readonly has_attachments: boolean
  readonly size: number
}

export interface ListPage {
  readonly items: ReadonlyArray<ListItem>
  readonly total: number
  readonly page: number
  readonly per_page: number
  readonly pages: number
}

/** How much of a header is read where the server's own reading of the message is beyond ours. Unit: bytes. */
const maxHead = 16 * 1024

const fields: FetchQueryObject = { uid: true, flags: true, envelope: true, size: true, internalDate: true, bodyStructure: true }
const carefulFields: FetchQueryObject = { uid: true, flags: true, size: true, internalDate: true, bodyParts: [{ key: "HEADER", start: 0, maxLength: maxHead }] }

/** `careful`: without what a hostile message can make long. Throws what the library throws. */
export const listPage = async (client: ImapFlow, folder: string, wanted: Wanted, { careful = false } = {}): Promise<ListPage> => {
  const { exists } = await openFolder(client, folder)
  const selected = await select(client, exists, wanted)
  const { page, perPage } = wanted
  return { items: await itemsOf(client, selected, careful), total: selected.total, page, per_page: perPage, pages: Math.ceil(selected.total / perPage) }
}

/** These messages, in their order; those that went away meanwhile are left out. */
export const itemsOf = async (client: ImapFlow, { order, range, uid }: Omit<Selected, "total">, careful: boolean): Promise<ReadonlyArray<ListItem>> => {
  if (range === undefined) return []
  const found = new Map<number, ListItem>()
  const numberOf = (message: FetchMessageObject) => uid ? message.uid : message.seq
  if (!careful) for (const message of await client.fetchAll(range, fields, { uid })) found.set(numberOf(message), itemOf(message))
  const missing = order.filter((number) => !found.has(number))
  // What the library cannot read (deeper than 25 levels) it leaves out.
  if (missing.length > 0) for (const message of await client.fetchAll(missing.join(","), carefulFields, { uid })) found.set(numberOf(message), await carefulItem(message))
  return order.flatMap((number) => found.get(number) ?? [])
}

const itemOf = (message: FetchMessageObject): ListItem => {
  const { bodyStructure, envelope, flags = new Set(), internalDate, size = 0, uid } = message
  const from = envelope?.from?.[0]
  return {
    uid,
    from_addr: oneLine(from?.address),
    from_name: oneLine(from?.name),
    subject: oneLine(envelope?.subject),
    date: sentAt(envelope?.date, internalDate),
    flags: Array.from(flags, (flag) => oneLine(flag)),
    seen: flags.has("\\Seen"),
    flagged: flags.has("\\Flagged"),
    answered: flags.has("\\Answered"),
    has_attachments: bodyStructure !== undefined && carriesFiles(bodyStructure),
    size
  }
}

const carefulItem = async (message: FetchMessageObject): Promise<ListItem> => {
  const { envelope, mixed } = await plainHead(message.headers)
  return { ...itemOf({ ...message, envelope }), has_attachments: mixed }
}

/** A file that is not part of the text: pictures of a page with its text do not count. */
const carriesFiles = (node: MessageStructureObject, within = ""): boolean => {
  if (node.type.startsWith("multipart/")) return (node.childNodes ?? []).some((child) => carriesFiles(child, node.type))
  if (node.disposition === "attachment") return true
  if (node.type === "text/plain" || node.type === "text/html") return node.dispositionParameters?.["filename"] !== undefined || node.parameters?.["name"] !== undefined
  return !(within === "multipart/related" && node.id !== undefined) && node.type !== "application/pgp-signature" && node.type !== "application/pkcs7-signature"
}
