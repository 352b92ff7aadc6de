/** Finds folders by name or by special use, and creates a missing folder for a use. */
import type { ImapFlow, ListResponse } from "imapflow"

/** Special use of a folder. Source: RFC 6154 §2. */
export type Use = "\\Trash" | "\\Sent" | "\\Drafts" | "\\Junk"

/** Names of folders that we create. */
const names = { "\\Trash": "Trash", "\\Sent": "Sent", "\\Drafts": "Drafts", "\\Junk": "Junk" } as const

/** Whether two names mean the same folder. INBOX is case-insensitive. Source: RFC 3501 §5.1. */
export const sameFolder = (a: string, b: string): boolean =>
  a === b || (a.toUpperCase() === "INBOX" && b.toUpperCase() === "INBOX")

/** The folder of this name that can hold messages. */
export const named = async (client: ImapFlow, name: string): Promise<ListResponse | undefined> =>
  (await client.list()).find(({ flags, path }) => sameFolder(path, name) && !flags.has("\\Noselect"))

/**
 * The folder for a use: as the server reports, else by a well-known name such as `Papierkorb` (list of the library).
 */
export const forUse = async (client: ImapFlow, use: Use): Promise<string | undefined> =>
  (await client.list()).find(({ flags, specialUse }) => specialUse === use && !flags.has("\\Noselect"))?.path

/** The folder for a use, created if it is missing. */
export const madeForUse = async (client: ImapFlow, use: Use): Promise<string> =>
  (await forUse(client, use)) ?? (await client.mailboxCreate(names[use])).path
