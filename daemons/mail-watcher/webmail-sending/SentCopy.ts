/** Stores the sender's copy in the folder for sent mail, unless the server already stored one. */
import type { ImapFlow } from "imapflow"
import { inFolder, madeForUse } from "../webmail-changes/Exports.ts"

export interface SentCopy {
  readonly folder: string
  /** Null: the server does not report it. */
  readonly uid: number | null
}

/**
 * Newest messages that are searched for the copy. Unit: messages. Reason: the mail was just sent, and searching the
 * whole folder takes seconds.
 */
const newest = 50

/** Stores the copy. Idempotent. */
export const keep = async (client: ImapFlow, messageId: string, raw: Buffer, date: Date): Promise<SentCopy> => {
  const folder = await madeForUse(client, "\\Sent")
  const there = await inFolder(client, folder, () => lately(client, messageId))
  if (there !== undefined) return { folder, uid: there }
  const kept = await client.append(folder, raw, ["\\Seen"], date)
  return { folder, uid: kept === false ? null : (kept.uid ?? null) }
}

const lately = async (client: ImapFlow, messageId: string): Promise<number | undefined> => {
  const box = client.mailbox
  if (box === false || box.exists === 0) return undefined
  const seq = `${Math.max(1, box.exists - newest + 1)}:*`
  const found = await client.search({ seq, header: { "message-id": messageId } }, { uid: true })
  return Array.isArray(found) ? found.at(-1) : undefined
}
