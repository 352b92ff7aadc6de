/** Folders of an account as changes need them: known by name or by use, made when one for the use is missing. */
import type { ImapFlow, ListResponse } from "imapflow"

/** What a folder is for. Source: RFC 6154 §2. */
export type Use = "\\Trash" | "\\Sent" | "\\Drafts" | "\\Junk"

/** What one that has to be made is called. */
const names = { "\\Trash": "Trash", "\\Sent": "Sent", "\\Drafts": "Drafts", "\\Junk": "Junk" } as const

/** INBOX is one folder in any case. Source: RFC 3501 §5.1. */
export const sameFolder = (a: string, b: string): boolean =>
  a === b || (a.toUpperCase() === "INBOX" && b.toUpperCase() === "INBOX")

/** The folder of this name that can hold messages. */
export const named = async (client: ImapFlow, name: string): Promise<ListResponse | undefined> =>
  (await client.list()).find(({ flags, path }) => sameFolder(path, name) && !flags.has("\\Noselect"))

/** The folder for this use: as the server says, else by its name (`Papierkorb`, `Gesendet`, … the library knows them). */
export const forUse = async (client: ImapFlow, use: Use): Promise<string | undefined> =>
  (await client.list()).find(({ flags, specialUse }) => specialUse === use && !flags.has("\\Noselect"))?.path

/** The same, made when there is none. */
export const madeForUse = async (client: ImapFlow, use: Use): Promise<string> =>
  (await forUse(client, use)) ?? (await client.mailboxCreate(names[use])).path
