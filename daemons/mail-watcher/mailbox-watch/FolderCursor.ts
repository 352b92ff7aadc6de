/**
 * What is recorded of a folder against what its server says of it. Pure. A cursor remembers the first UID that was not told of; what lies
 * below it has been told of, or never will be.
 */
import type { FolderStatus } from "#protocols/imap-watch/Untagged.ts"

export interface FolderCursor {
  readonly uidValidity: number
  /** The first UID that was not told of yet. */
  readonly uidNext: number
  /** What came before is not told of, also when it is moved here. Unit: milliseconds since 1970. */
  readonly since: number
  readonly messages: number
  readonly unseen: number
}

/** What was known of the mailbox before this look. Unit: milliseconds since 1970. */
export interface ScanTimes {
  readonly now: number
  /** When everything was looked at for the first time; undefined: this is it. */
  readonly first: number | undefined
  /** The same, latest. */
  readonly last: number | undefined
  /** The mailbox itself is new: nothing in it is old. */
  readonly fresh: boolean
}

export type Step =
  /** A folder without a cursor. */
  | { readonly _tag: "Begin"; readonly folder: string; readonly cursor: FolderCursor }
  | { readonly _tag: "Rename"; readonly from: string; readonly folder: string; readonly cursor: FolderCursor }
  | { readonly _tag: "Drop"; readonly folder: string; readonly cursor: FolderCursor }

/**
 * By how much the clocks of mail servers may differ from ours, and how long a mail may take from its date of arrival until it shows.
 * Unit: milliseconds. Reason: what is told of is known again for a week, so longer costs nothing but mails of the hour before the first
 * look, told of when somebody moves them.
 */
export const slack = 60 * 60_000

/** How far back a new mailbox is read at its first look. Unit: UIDs. Reason: a page; what came in its first minutes. */
export const freshUids = 200

/** How long it is known what was told of, before the latest look. Unit: milliseconds. Reason: mails are moved within days, and later ones have a date that tells. */
export const memory = 7 * 24 * 60 * 60_000

/** Longest name of a folder that is watched. Unit: bytes in UTF-8. Reason: an index of the database takes 2,700. */
export const maxNameBytes = 2_000

/** What can be watched: its counters are told, and its name can be written down. */
export const isWatchable = (folder: string, status: FolderStatus): boolean =>
  status.uidNext !== undefined &&
  status.uidValidity !== undefined &&
  status.messages !== undefined &&
  folder !== "" &&
  folder.isWellFormed() &&
  !folder.includes("\0") &&
  Buffer.byteLength(folder) <= maxNameBytes

/** After everything was looked at: which cursors begin, get another name, or end. */
export const reconcile = (
  cursors: ReadonlyMap<string, FolderCursor>,
  folders: ReadonlyMap<string, FolderStatus>,
  look: ScanTimes
): ReadonlyArray<Step> => {
  const left = new Map(Array.from(cursors).filter(([folder]) => !folders.has(folder)))
  const steps: Array<Step> = []
  for (const [folder, status] of folders) {
    if (cursors.has(folder) || !isWatchable(folder, status)) continue
    const from = look.first === undefined ? undefined : formerName(left, folder, status)
    if (from === undefined) steps.push({ _tag: "Begin", folder, cursor: begun(status, look) })
    else {
      steps.push({ _tag: "Rename", from, folder, cursor: left.get(from)! })
      left.delete(from)
    }
  }
  return [...steps, ...Array.from(left, ([folder, cursor]): Step => ({ _tag: "Drop", folder, cursor }))]
}

/** At the first look what is there is old. A folder that shows later is read from its beginning, and its messages judged by their dates. */
const begun = (status: FolderStatus, look: ScanTimes): FolderCursor => {
  const { uidNext, uidValidity } = status as Required<FolderStatus>
  const { messages, unseen } = countersOf({ messages: 0, unseen: 0 }, status)
  if (look.first === undefined) {
    const since = look.now - slack
    return { uidValidity, uidNext: look.fresh ? Math.max(1, uidNext - freshUids) : uidNext, since, messages, unseen }
  }
  return { uidValidity, uidNext: 1, since: (look.last ?? look.first) - slack, messages: 0, unseen: 0 }
}

/** Highest counter that is written down. Reason: a column of 32 bits with a sign; servers may say 2^32 - 1 (RFC 3501 §9 `number`), and strangers more. */
export const maxCounter = 2_147_483_647

/** What the counters are now: what is not told stays. */
export const countersOf = (
  cursor: Pick<FolderCursor, "messages" | "unseen">,
  { messages, unseen }: FolderStatus
): Pick<FolderCursor, "messages" | "unseen"> => ({
  messages: Math.min(messages ?? cursor.messages, maxCounter),
  unseen: Math.min(unseen ?? cursor.unseen, maxCounter)
})

/** The folder that is gone and went on as this one. Not every server has a UIDVALIDITY for each: then the likest, and the one that leaves out least. */
const formerName = (
  gone: ReadonlyMap<string, FolderCursor>,
  folder: string,
  status: FolderStatus
): string | undefined => {
  const possible = Array.from(gone).filter(
    ([, cursor]) => cursor.uidValidity === status.uidValidity && cursor.uidNext <= status.uidNext!
  )
  const leaf = (name: string) => name.split(/[./]/).at(-1)
  const rank = ([name, cursor]: readonly [string, FolderCursor]) =>
    (leaf(name) === leaf(folder) ? 0 : 1e10) + cursor.uidNext
  return possible.sort((one, other) => rank(one) - rank(other))[0]?.[0]
}

/** The cursor of a folder that was made anew under its name. */
export const recreated = (uidValidity: number, look: ScanTimes): FolderCursor => ({
  uidValidity,
  uidNext: 1,
  since: (look.last ?? look.now) - slack,
  messages: 0,
  unseen: 0
})

/** `Recreated`: another folder under this name. `Read`: messages came. `Count`: only counters changed. */
export const compare = (cursor: FolderCursor, status: FolderStatus): "Recreated" | "Read" | "Count" | "Same" => {
  if (status.uidValidity !== undefined && status.uidValidity !== cursor.uidValidity) return "Recreated"
  if ((status.uidNext ?? 0) > cursor.uidNext) return "Read"
  return (status.messages ?? cursor.messages) !== cursor.messages || (status.unseen ?? cursor.unseen) !== cursor.unseen
    ? "Count"
    : "Same"
}

/** Whether a message in a folder is new by its date; without one it is. Whether it was told of elsewhere is another question. */
export const isRecent = (internalDate: Date | undefined, cursor: FolderCursor, look: ScanTimes): boolean =>
  internalDate === undefined || internalDate.getTime() >= Math.max(cursor.since, (look.last ?? look.now) - memory)
