/** Which folders hold what the mailbox's own user wrote. Pure. Source: RFC 6154 §2 (`\\Sent`, `\\Drafts`). */

export type FolderUse = "sent" | "drafts"

/** Usual names of these folders, in lower case and without parent folders. Used when a server names no uses. */
const usualNames: ReadonlyMap<string, FolderUse> = new Map([
  ["sent", "sent"],
  ["sent items", "sent"],
  ["sent mail", "sent"],
  ["sent messages", "sent"],
  ["gesendet", "sent"],
  ["gesendete elemente", "sent"],
  ["gesendete objekte", "sent"],
  ["drafts", "drafts"],
  ["draft", "drafts"],
  ["entwürfe", "drafts"],
  ["entwurf", "drafts"]
])

/** `attributes` of a LIST response, in lower case. Undefined: another use, or none. */
export const folderUse = (folder: string, attributes: ReadonlyArray<string>): FolderUse | undefined =>
  attributes.includes("\\sent")
    ? "sent"
    : attributes.includes("\\drafts")
      ? "drafts"
      : usualNames.get(folder.split(/[./]/).at(-1)!.toLowerCase())
