/** Folders of an account in display order: the inbox, folders with a special use, then the others by name. */
import type { ImapFlow, ListResponse } from "imapflow"
import { oneLine } from "./HeaderText.ts"

export interface FolderItem {
  /** Full path, as used in requests. */
  readonly name: string
  readonly delimiter: string | null
  readonly special_use: string | null
  readonly unseen: number
  readonly exists: number
  readonly subscribed: boolean
  /** False: the folder only contains other folders. */
  readonly selectable: boolean
}

/** Maximum number of listed folders. Reason: people have tens; a longer list is of no use. */
const maxFolders = 2_000

const uses = ["\\Inbox", "\\Drafts", "\\Sent", "\\Archive", "\\All", "\\Flagged", "\\Junk", "\\Trash"]

/** Takes one round trip with LIST-STATUS, else one more per folder. Throws the library's errors. */
export const folderList = async (client: ImapFlow): Promise<ReadonlyArray<FolderItem>> => {
  // Servers such as Dovecot report the selected folder's counters as of the session's last command.
  if (client.mailbox !== false) await client.noop()
  return (await client.list({ statusQuery: { messages: true, unseen: true } }))
    .filter(({ flags }) => !flags.has("\\NonExistent"))
    .slice(0, maxFolders)
    .map(itemOf)
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en"))
}

const itemOf = ({ delimiter, flags, path, specialUse, status, subscribed }: ListResponse): FolderItem => ({
  name: path,
  delimiter: delimiter === undefined || delimiter === "" ? null : delimiter,
  special_use: specialUse === undefined ? null : oneLine(specialUse),
  unseen: status?.unseen ?? 0,
  exists: status?.messages ?? 0,
  subscribed: subscribed === true,
  selectable: !flags.has("\\Noselect")
})

const rank = ({ name, special_use }: FolderItem): number => {
  if (name.toUpperCase() === "INBOX") return 0
  const at = uses.indexOf(special_use ?? "")
  return at === -1 ? uses.length : at
}
