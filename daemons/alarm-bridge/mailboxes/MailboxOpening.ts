/** What an opened mailbox means for the cursor. Pure. Source: RFC 3501 §2.3.1.1 (UIDVALIDITY, UIDNEXT). */

/** How far a mailbox was read. */
export interface Cursor {
  readonly uidValidity: bigint
  readonly generation: number
  readonly lastUid: number
  /** Mails up to this UID came with a reset and are sifted; 0 when there was none. */
  readonly resetUntil: number
  /** Sifted mails count as new when they came in after this moment. */
  readonly resetSince: Date | undefined
}

/** What the server says when the mailbox is opened. */
export interface Opened {
  readonly uidValidity: bigint
  readonly uidNext: number
}

export type Opening =
  /** Never seen before. */
  | { readonly _tag: "First"; readonly lastUid: number }
  | { readonly _tag: "Continue" }
  /** UIDs mean other mails now: all that lies there is sifted. */
  | { readonly _tag: "Reset"; readonly generation: number; readonly until: number }

export const decideOpening = (cursor: Cursor | undefined, opened: Opened, firstStart: "skip" | "take"): Opening => {
  if (cursor === undefined) return { _tag: "First", lastUid: firstStart === "take" ? 0 : opened.uidNext - 1 }
  const until = opened.uidNext - 1
  if (opened.uidValidity > cursor.uidValidity) return { _tag: "Reset", generation: cursor.generation, until }
  // A lower value, or the same with lower UIDs: restored from a backup. Its UIDs may have been used for triggers
  // before.
  if (opened.uidValidity < cursor.uidValidity || until < cursor.lastUid) {
    return { _tag: "Reset", generation: cursor.generation + 1, until }
  }
  return { _tag: "Continue" }
}

/** Names a mail for good. */
export const triggerKey = (mailbox: string, cursor: Cursor, uid: number): string =>
  `imap:${mailbox}:${cursor.uidValidity}${cursor.generation === 0 ? "" : `.${cursor.generation}`}:${uid}`

/** Whether a mail is an alarm that was not taken yet. `taken`: its very bytes were taken before. */
export const isNew = (
  cursor: Cursor,
  mail: { readonly uid: number; readonly internalDate: Date; readonly taken: boolean }
): boolean =>
  mail.uid > cursor.resetUntil ||
  (!mail.taken && (cursor.resetSince === undefined || mail.internalDate.getTime() > cursor.resetSince.getTime()))
