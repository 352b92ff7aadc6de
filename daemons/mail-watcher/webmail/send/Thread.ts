/**
 * The message that a mail answers, found by its Message-ID in the folders where it most likely is, for the `References` that keep the
 * thread together. Not found: the id alone has to do. Source: RFC 5322 §3.6.4.
 */
import type { ImapFlow } from "imapflow"
import { messageIds } from "#protocols/mail-address/MessageId.ts"
import { inFolder } from "../changes/Messages.ts"
import { valuesOf } from "./Headers.ts"

export interface Answered {
  readonly folder: string
  readonly uid: number
  /** For the answer: those of the answered message, and itself. */
  readonly references: ReadonlyArray<string>
}

/** Ids in `References`. Unit: ids. Reason: the first and the newest are what programs thread by; a line has its end. */
export const maxReferences = 20

/** Folders that are searched. Unit: folders. */
const maxFolders = 4

const uses = ["\\Inbox", "\\Sent", "\\All", "\\Archive"]

export const find = async (client: ImapFlow, messageId: string): Promise<Answered | undefined> => {
  const listed = await client.list()
  const folders = uses.flatMap((use) => listed.find(({ flags, path, specialUse }) =>
    !flags.has("\\Noselect") && (specialUse === use || (use === "\\Inbox" && path.toUpperCase() === "INBOX")))?.path ?? [])
  for (const folder of folders.slice(0, maxFolders)) {
    const found = await inFolder(client, folder, () => inSelected(client, folder, messageId))
    if (found !== undefined) return found
  }
  return undefined
}

const inSelected = async (client: ImapFlow, folder: string, messageId: string): Promise<Answered | undefined> => {
  const uids = await client.search({ header: { "message-id": messageId } }, { uid: true })
  const uid = Array.isArray(uids) ? uids.at(-1) : undefined
  if (uid === undefined) return undefined
  const message = await client.fetchOne(String(uid), { uid: true, headers: ["references", "in-reply-to"] }, { uid: true })
  const headers = message === false || message === undefined ? undefined : message.headers
  return { folder, uid, references: referencesOf(headers ?? Buffer.alloc(0), messageId) }
}

/** Of an answer to the message with these headers. Without References its In-Reply-To counts, when that names one id. */
export const referencesOf = (headers: Buffer, messageId: string): ReadonlyArray<string> => {
  const named = messageIds(valuesOf(headers, "references"), 1_000)
  const answered = messageIds(valuesOf(headers, "in-reply-to"), 2)
  const before = named.length > 0 ? named : answered.length === 1 ? answered : []
  const all = [...before.filter((id) => id !== messageId), messageId]
  return all.length <= maxReferences ? all : [all[0]!, ...all.slice(1 - maxReferences)]
}
