/**
 * Finds the message that a mail answers by its Message-ID, in the likely folders first, and builds `References`. If the
 * message is not found, References holds only its id. Source: RFC 5322 §3.6.4.
 */
import type { ImapFlow } from "imapflow"
import { messageIds } from "#protocols/mail-address/MessageId.ts"
import { inFolder } from "../webmail-changes/Exports.ts"
import { valuesOf } from "./MailHeader.ts"

export interface Answered {
  readonly folder: string
  readonly uid: number
  /** References of the answer: those of the answered message and its own id. */
  readonly references: ReadonlyArray<string>
}

/**
 * Maximum number of IDs in `References`. Reason: mail clients thread by the first and the newest ids; a header line has
 * a limited length.
 */
export const maxReferences = 20

/**
 * Maximum number of folders searched, and the time limit for folders that are unlikely. Units: folders, milliseconds.
 * Reason: the sender waits.
 */
const maxFolders = 40
const patience = 3_000

/** Special uses in search order, and those that are never searched. */
const likely = ["\\Inbox", "\\Sent", "\\All", "\\Archive"]
const never = ["\\Trash", "\\Junk", "\\Drafts"]

export const find = async (client: ImapFlow, messageId: string): Promise<Answered | undefined> => {
  const listed = (await client.list()).filter(
    ({ flags, specialUse }) =>
      !flags.has("\\Noselect") && !flags.has("\\NonExistent") && !never.includes(specialUse ?? "")
  )
  const rank = ({ path, specialUse }: { readonly path: string; readonly specialUse?: string | undefined }) => {
    const place = path.toUpperCase() === "INBOX" ? 0 : likely.indexOf(specialUse ?? "")
    return place === -1 ? likely.length : place
  }
  const begun = performance.now()
  for (const entry of listed.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxFolders)) {
    const folder = entry.path
    if (rank(entry) === likely.length && performance.now() - begun > patience) return undefined
    const found = await inFolder(client, folder, () => inSelected(client, folder, messageId))
    if (found !== undefined) return found
  }
  return undefined
}

const inSelected = async (client: ImapFlow, folder: string, messageId: string): Promise<Answered | undefined> => {
  const uids = await client.search({ header: { "message-id": messageId } }, { uid: true })
  const uid = Array.isArray(uids) ? uids.at(-1) : undefined
  if (uid === undefined) return undefined
  const message = await client.fetchOne(
    String(uid),
    { uid: true, headers: ["references", "in-reply-to"] },
    { uid: true }
  )
  const headers = message === false || message === undefined ? undefined : message.headers
  return { folder, uid, references: referencesOf(headers ?? Buffer.alloc(0), messageId) }
}

/** References of an answer to a message with these headers. Without References, an In-Reply-To with one id counts. */
export const referencesOf = (headers: Buffer, messageId: string): ReadonlyArray<string> => {
  const named = messageIds(valuesOf(headers, "references"), 1_000)
  const answered = messageIds(valuesOf(headers, "in-reply-to"), 2)
  const before = named.length > 0 ? named : answered.length === 1 ? answered : []
  const all = [...before.filter((id) => id !== messageId), messageId]
  return all.length <= maxReferences ? all : [all[0]!, ...all.slice(1 - maxReferences)]
}
