/**
 * Stores and deletes the drafts of a letter. Each function is one piece of work on the account's session, so no reader
 * sees the old and the new draft of a letter at the same time. Drafts with the same key have the same Message-ID.
 */
import type { ImapFlow } from "imapflow"
import type { Account } from "../accounts/Exports.ts"
import { erase, forUse, inFolder, madeForUse, present } from "../webmail-changes/Exports.ts"
import { domainOf } from "./PrepareMail.ts"
import { gone } from "./StoredDraft.ts"

/** Drafts of one letter: by uid, by Message-ID, or both. */
export interface DraftName {
  readonly uid: number | undefined
  /** With angle brackets. */
  readonly messageId: string | undefined
}

/** Message-ID of all drafts with this key. */
export const messageIdOf = (account: Account, key: string): string => `<${key}@${domainOf(account)}>`

/** Name of the drafts that a request means by their uid, their key, or both. */
export const nameOf = (account: Account, uid: number | undefined, key: string | undefined): DraftName => ({
  uid,
  messageId: key === undefined ? undefined : messageIdOf(account, key)
})

/** UIDs of the letter's drafts in the selected folder. */
const find = async (client: ImapFlow, { messageId, uid }: DraftName): Promise<ReadonlyArray<number>> => {
  const named = uid === undefined ? [] : await present(client, [uid])
  const found =
    messageId === undefined ? [] : await client.search({ header: { "message-id": messageId } }, { uid: true })
  return [...new Set([...named, ...(Array.isArray(found) ? found : [])])]
}

/**
 * Stores a draft, then deletes the earlier drafts of the letter. Fails with `NotFound` when `uid` is named and the
 * letter has no draft.
 */
export const keep = async (
  client: ImapFlow,
  name: DraftName,
  { date, raw }: { readonly date: Date; readonly raw: Buffer }
): Promise<{ readonly folder: string; readonly uid: number | null }> => {
  const folder = name.uid === undefined ? await madeForUse(client, "\\Drafts") : await forUse(client, "\\Drafts")
  if (folder === undefined) throw gone
  return inFolder(client, folder, async () => {
    const before = await find(client, name)
    if (name.uid !== undefined && before.length === 0) throw gone
    const kept = await client.append(folder, raw, ["\\Draft", "\\Seen"], date)
    if (before.length > 0) await erase(client, before)
    return { folder, uid: kept === false ? null : (kept.uid ?? null) }
  })
}

/** Deletes the letter's drafts for good. False: it has none. */
export const remove = async (client: ImapFlow, name: DraftName): Promise<boolean> => {
  const folder = await forUse(client, "\\Drafts")
  if (folder === undefined) return false
  return inFolder(client, folder, async () => {
    const found = await find(client, name)
    if (found.length > 0) await erase(client, found)
    return found.length > 0
  })
}
