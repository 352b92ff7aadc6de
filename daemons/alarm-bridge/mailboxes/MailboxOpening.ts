/** Compares an opened mailbox with its cursor. Pure. Source: RFC 3501 §2.3.1.1 (UIDVALIDITY, UIDNEXT). */

/** Position up to which a mailbox was processed. */
export interface Cursor {
  readonly uidValidity: bigint
  readonly generation: number
  readonly lastUid: number
  /** Mails up to this UID were present at a reset and may have been processed before; 0: no reset. */
  readonly resetUntil: number
  /** After a reset, mails received later than this count as new. */
  readonly resetSince: Date | undefined
}

/** State that the server reports on opening the mailbox. */
export interface Opened {
  readonly uidValidity: bigint
  readonly uidNext: number
}

export type Opening =
  /** The mailbox has no cursor yet. */
  | { readonly _tag: "First"; readonly lastUid: number }
  | { readonly _tag: "Continue" }
  /** UIDs now mean other mails: every mail in the mailbox is checked again. */
  | { readonly _tag: "Reset"; readonly generation: number; readonly until: number }

export const decideOpening = (cursor: Cursor | undefined, opened: Opened, firstStart: "skip" | "take"): Opening => {
  if (cursor === undefined) return { _tag: "First", lastUid: firstStart === "take" ? 0 : opened.uidNext - 1 }
  const until = opened.uidNext - 1
  if (opened.uidValidity > cursor.uidValidity) return { _tag: "Reset", generation: cursor.generation, until }
  // A lower UIDVALIDITY, or lower UIDs, mean a restored backup. Triggers may already have used its UIDs, so the
  // generation grows.
  if (opened.uidValidity < cursor.uidValidity || until < cursor.lastUid) {
    return { _tag: "Reset", generation: cursor.generation + 1, until }
  }
  return { _tag: "Continue" }
}

/** Unique and permanent key of a mail. */
export const triggerKey = (mailbox: string, cursor: Cursor, uid: number): string =>
  `imap:${mailbox}:${cursor.uidValidity}${cursor.generation === 0 ? "" : `.${cursor.generation}`}:${uid}`

/** Whether a mail is an alarm that was not processed yet. `taken`: a mail with the same digest was processed. */
export const isNew = (
  cursor: Cursor,
  mail: { readonly uid: number; readonly internalDate: Date; readonly taken: boolean }
): boolean =>
  mail.uid > cursor.resetUntil ||
  (!mail.taken && (cursor.resetSince === undefined || mail.internalDate.getTime() > cursor.resetSince.getTime()))
