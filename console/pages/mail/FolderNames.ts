/** Display name of a folder: by its special use, else the last part of its name. */
import { words } from "../../lib/Language.ts"
import type { Folder } from "./Shapes.ts"

const t = words({
  en: {
    "\\Inbox": "Inbox",
    "\\Sent": "Sent",
    "\\Drafts": "Drafts",
    "\\Trash": "Trash",
    "\\Junk": "Junk",
    "\\Archive": "Archive",
    "\\All": "All mail",
    "\\Flagged": "Starred"
  },
  de: {
    "\\Inbox": "Posteingang",
    "\\Sent": "Gesendet",
    "\\Drafts": "Entwürfe",
    "\\Trash": "Papierkorb",
    "\\Junk": "Spam",
    "\\Archive": "Archiv",
    "\\All": "Alle Nachrichten",
    "\\Flagged": "Markiert"
  }
})

export const titleOf = ({ delimiter, name, special_use }: Pick<Folder, "delimiter" | "name" | "special_use">): string =>
  (special_use !== null && special_use in t() ? t()[special_use as "\\Inbox"] : undefined) ??
  name.slice(delimiter === null ? 0 : name.lastIndexOf(delimiter) + 1)

/** Title of the folder with this name, also when the list of folders does not contain it. */
export const titleOfNamed = (name: string, folders: ReadonlyArray<Folder>): string =>
  titleOf(
    folders.find((folder) => folder.name === name) ?? {
      name,
      delimiter: null,
      special_use: name === "INBOX" ? "\\Inbox" : null
    }
  )

/** Nesting depth of a folder. */
export const depthOf = ({ delimiter, name, special_use }: Folder): number =>
  special_use !== null || delimiter === null ? 0 : name.split(delimiter).length - 1

export const useOf = (name: string, folders: ReadonlyArray<Folder>): string | null =>
  folders.find((folder) => folder.name === name)?.special_use ?? null

/** Whether the server empties the folder on request: trash and junk only. */
export const canEmpty = ({ special_use }: Folder): boolean => special_use === "\\Trash" || special_use === "\\Junk"

/** Whether the folder may be renamed and deleted: mail programs need those with a special use. */
export const canRemove = ({ special_use }: Folder): boolean => special_use === null
