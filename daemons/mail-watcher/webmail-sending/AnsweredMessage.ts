/**
 * The message that a mail answers, found by its Message-ID, first in the folders where it most likely is, for the `References` that keep the
 * thread together. Not found: the id alone has to do. Source: RFC 5322 §3.6.4.
 */
import type { ImapFlow } from "imapflow"
import { messageIds } from "#protocols/mail-address/MessageId.ts"
import { inFolder } from "../webmail-changes/Exports.ts"
import { valuesOf } from "./MailHeader.ts"

export interface Answered {
  readonly folder: string
  readonly uid: number
  /** For the answer: those of the answered message, and itself. */
  readonly references: ReadonlyArray<string>
}

/** Ids in `References`. Unit: ids. Reason: the first and the newest are what programs thread by; a line has its end. */
export const maxReferences = 20

/** Folders that are searched, and how long beyond the likely ones. Units: folders, milliseconds. Reason: whoever sends waits for it. */
const maxFolders = 40
const patience = 3_000

/** Where it most likely is, in this order; and where nobody answers from. */
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

/** Of an answer to the message with these headers. Without References its In-Reply-To counts, when that names one id. */
export const referencesOf = (headers: Buffer, messageId: string): ReadonlyArray<string> => {
  const named = messageIds(valuesOf(headers, "references"), 1_000)
  const answered = messageIds(valuesOf(headers, "in-reply-to"), 2)
  const before = named.length > 0 ? named : answered.length === 1 ? answered : []
  const all = [...before.filter((id) => id !== messageId), messageId]
  return all.length <= maxReferences ? all : [all[0]!, ...all.slice(1 - maxReferences)]
}
