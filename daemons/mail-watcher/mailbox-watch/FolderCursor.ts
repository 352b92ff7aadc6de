/**
 * Compares the recorded state of a folder with the state that the server reports. A cursor stores the first UID that
 * was not announced; messages below it were announced or never will be. Pure.
 */
import type { FolderStatus } from "#protocols/imap-watch/Untagged.ts"

export interface FolderCursor {
  readonly uidValidity: number
  /** First UID that was not announced. */
  readonly uidNext: number
  /** Messages with an earlier date are not announced, even when they are moved here. Unit: milliseconds since 1970. */
  readonly since: number
  readonly messages: number
  readonly unseen: number
}

/** Times of the scans of a mailbox, each a comparison of all its folders. Unit: milliseconds since 1970. */
export interface ScanTimes {
  readonly now: number
  /** Time of the first scan, in epoch milliseconds. Undefined: the current scan is the first. */
  readonly first: number | undefined
  /** Time of the scan before this one, in epoch milliseconds. */
  readonly last: number | undefined
  /** The mailbox was just created, so its messages are new. */
  readonly fresh: boolean
}

export type CursorStep =
  /** A folder without a cursor. */
  | { readonly _tag: "Begin"; readonly folder: string; readonly cursor: FolderCursor }
  | { readonly _tag: "Rename"; readonly from: string; readonly folder: string; readonly cursor: FolderCursor }
  | { readonly _tag: "Drop"; readonly folder: string; readonly cursor: FolderCursor }

/**
 * Tolerance for clock differences of mail servers and for delivery delay. Unit: milliseconds. Reason: announced
 * messages are remembered for a week, so the only cost is that a mail of the hour before the first scan is announced
 * when it is moved.
 */
export const dateTolerance = 60 * 60_000

/** UIDs read back at the first scan of a new mailbox. Unit: UIDs. Reason: one page covers its first minutes. */
export const freshUids = 200

/**
 * How long announced messages are remembered before the latest scan. Unit: milliseconds. Reason: mails are moved within
 * days; later the date shows that a mail is old.
 */
export const announcedMemory = 7 * 24 * 60 * 60_000

/** Longest name of a watched folder. Unit: bytes in UTF-8. Reason: an index entry of the database takes 2,700. */
export const maxNameBytes = 2_000

/** Whether the folder can be watched: the server reports its counters and the database can store its name. */
export const isWatchable = (folder: string, status: FolderStatus): boolean =>
  status.uidNext !== undefined &&
  status.uidValidity !== undefined &&
  status.messages !== undefined &&
  folder !== "" &&
  folder.isWellFormed() &&
  !folder.includes("\0") &&
  Buffer.byteLength(folder) <= maxNameBytes

/** Cursors to begin, rename or drop after a scan. */
export const reconcile = (
  cursors: ReadonlyMap<string, FolderCursor>,
  folders: ReadonlyMap<string, FolderStatus>,
  look: ScanTimes
): ReadonlyArray<CursorStep> => {
  // A folder under a new name may have left its old one to a new folder.
  const free = new Map(Array.from(cursors).filter(([folder, cursor]) => !isOf(cursor, folders.get(folder))))
  const steps: Array<CursorStep> = []
  for (const [folder, status] of folders) {
    if (cursors.has(folder) || !isWatchable(folder, status)) continue
    const from = look.first === undefined ? undefined : formerName(free, folder, status)
    if (from === undefined) steps.push({ _tag: "Begin", folder, cursor: initialCursor(status, look) })
    else {
      steps.push({ _tag: "Rename", from, folder, cursor: free.get(from)! })
      free.delete(from)
      const successor = folders.get(from)
      if (successor !== undefined && isWatchable(from, successor))
        steps.push({ _tag: "Begin", folder: from, cursor: initialCursor(successor, look) })
    }
  }
  const gone = Array.from(free).filter(([folder]) => !folders.has(folder))
  return [...steps, ...gone.map(([folder, cursor]): CursorStep => ({ _tag: "Drop", folder, cursor }))]
}

/** Whether the cursor belongs to the folder that now has its name. */
const isOf = (cursor: FolderCursor, status: FolderStatus | undefined): boolean =>
  status !== undefined && (status.uidValidity === undefined || status.uidValidity === cursor.uidValidity)

/**
 * At the first scan existing messages are old. A folder that appears later is read from its beginning, and dates decide
 * which messages are new.
 */
const initialCursor = (status: FolderStatus, look: ScanTimes): FolderCursor => {
  const { uidNext, uidValidity } = status as Required<FolderStatus>
  const { messages, unseen } = countersOf({ messages: 0, unseen: 0 }, status)
  if (look.first === undefined) {
    const since = look.now - dateTolerance
    return { uidValidity, uidNext: look.fresh ? Math.max(1, uidNext - freshUids) : uidNext, since, messages, unseen }
  }
  return { uidValidity, uidNext: 1, since: (look.last ?? look.first) - dateTolerance, messages: 0, unseen: 0 }
}

/**
 * Highest stored counter. Reason: the column is a signed 32-bit integer, but servers may report 2^32 - 1 (RFC 3501 §9
 * `number`) and hostile ones more.
 */
export const maxCounter = 2_147_483_647

/** Current counters; a counter that the server does not report stays. */
export const countersOf = (
  cursor: Pick<FolderCursor, "messages" | "unseen">,
  { messages, unseen }: FolderStatus
): Pick<FolderCursor, "messages" | "unseen"> => ({
  messages: Math.min(messages ?? cursor.messages, maxCounter),
  unseen: Math.min(unseen ?? cursor.unseen, maxCounter)
})

/**
 * Former name of a renamed folder. Some servers have one UIDVALIDITY for several folders: then the best match by name,
 * and among these the lowest UID, which skips the fewest messages.
 */
const formerName = (
  free: ReadonlyMap<string, FolderCursor>,
  folder: string,
  status: FolderStatus
): string | undefined => {
  const possible = Array.from(free).filter(
    ([, cursor]) => cursor.uidValidity === status.uidValidity && cursor.uidNext <= status.uidNext!
  )
  const leaf = (name: string) => name.split(/[./]/).at(-1)
  const rank = ([name, cursor]: readonly [string, FolderCursor]) =>
    (leaf(name) === leaf(folder) ? 0 : 1e10) + cursor.uidNext
  return possible.sort((one, other) => rank(one) - rank(other))[0]?.[0]
}

/** Cursor of a folder that was deleted and created again. */
export const recreatedCursor = (uidValidity: number, look: ScanTimes): FolderCursor => ({
  uidValidity,
  uidNext: 1,
  since: (look.last ?? look.now) - dateTolerance,
  messages: 0,
  unseen: 0
})

/** `Recreated`: a new folder of the same name. `Read`: new messages. `Count`: only counters changed. */
export const compare = (cursor: FolderCursor, status: FolderStatus): "Recreated" | "Read" | "Count" | "Same" => {
  if (status.uidValidity !== undefined && status.uidValidity !== cursor.uidValidity) return "Recreated"
  if ((status.uidNext ?? 0) > cursor.uidNext) return "Read"
  return (status.messages ?? cursor.messages) !== cursor.messages || (status.unseen ?? cursor.unseen) !== cursor.unseen
    ? "Count"
    : "Same"
}

/**
 * Whether the message is new by its date. A message without a date is new. The fingerprint decides whether it was
 * already announced in another folder.
 */
export const isRecent = (internalDate: Date | undefined, cursor: FolderCursor, look: ScanTimes): boolean =>
  internalDate === undefined ||
  internalDate.getTime() >= Math.max(cursor.since, (look.last ?? look.now) - announcedMemory)
