/** Opens a folder for reading on a session. */
import type { ImapFlow, MailboxObject } from "imapflow"
import { NotFound } from "#core/http/Problem.ts"

/**
 * Opens the folder read-only, or keeps it open. `fresh` first fetches pending changes. Throws the library's errors,
 * also for a missing folder.
 */
export const openFolder = async (client: ImapFlow, path: string, { fresh = true } = {}): Promise<MailboxObject> => {
  const open = client.mailbox
  if (open === false || open.path !== path) return client.mailboxOpen(path, { readOnly: true })
  if (fresh) await client.noop()
  // The server may have closed the folder.
  const still = client.mailbox
  return still === false ? client.mailboxOpen(path, { readOnly: true }) : still
}

export const noMessage = () => new NotFound({ detail: "The message does not exist." })
