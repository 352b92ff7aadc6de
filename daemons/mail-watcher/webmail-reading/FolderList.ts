/** The folders of an account, as a list for people: the inbox, those with a use of their own, then the rest by name. */
import type { ImapFlow, ListResponse } from "imapflow"
import { oneLine } from "./HeaderText.ts"

export interface FolderItem {
  /** Its whole path, as requests name it. */
  readonly name: string
  readonly delimiter: string | null
  readonly special_use: string | null
  readonly unseen: number
  readonly exists: number
  readonly subscribed: boolean
  /** False: it only holds other folders. */
  readonly selectable: boolean
}

/** Folders that are listed. Unit: folders. Reason: people have tens; a page of more is of no use. */
const maxFolders = 2_000

const uses = ["\\Inbox", "\\Drafts", "\\Sent", "\\Archive", "\\All", "\\Flagged", "\\Junk", "\\Trash"]

/** One round trip where the server offers LIST-STATUS, else one more a folder. Throws what the library throws. */
export const folderList = async (client: ImapFlow): Promise<ReadonlyArray<FolderItem>> => {
  // Of the folder that is open a server tells the counters as the session last saw them (Dovecot does).
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
