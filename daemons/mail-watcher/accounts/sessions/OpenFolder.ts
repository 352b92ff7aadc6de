/** A folder opened for reading on a session. */
import type { ImapFlow, MailboxObject } from "imapflow"
import { NotFound } from "#core/http/Problem.ts"

/**
 * Opens it for reading only, or keeps it open as it is; `fresh`: what came in meanwhile is known then. Throws what the library throws,
 * for a folder that is not there too.
 */
export const openFolder = async (client: ImapFlow, path: string, { fresh = true } = {}): Promise<MailboxObject> => {
  const open = client.mailbox
  if (open === false || open.path !== path) return client.mailboxOpen(path, { readOnly: true })
  if (fresh) await client.noop()
  // The server may have thrown us out of it.
  const still = client.mailbox
  return still === false ? client.mailboxOpen(path, { readOnly: true }) : still
}

export const noMessage = () => new NotFound({ detail: "There is no such message." })
