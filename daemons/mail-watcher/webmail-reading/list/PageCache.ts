/**
 * Pages of an open folder that were read before: a message never changes but for its flags, and has its UID for itself as long as the folder
 * stays open (RFC 3501 §2.3.1.1). Whoever looks at a page again, as people do after each message they read, need not be sent it all anew.
 */
import type { MailboxObject } from "imapflow"
import { type Memory, memory } from "#core/lane/Remembering.ts"
import type { ListItem } from "./ListItem.ts"

/** Pages of one folder. Reason: people go between a page and those beside it; a page takes some 25 KB, as long as the folder is open on the session. */
const pagesOfFolder = 4

/** Its messages by their UIDs; their flags are those of then. */
export type CachedPage = ReadonlyMap<number, ListItem>

/** By the folder as it was opened: opened once more it is another one. */
const pages = new WeakMap<MailboxObject, Memory<string, CachedPage>>()

/** `range`: of sequence numbers. Which messages these are now is told by their UIDs. */
export const cachedPage = (mailbox: MailboxObject | false, range: string): CachedPage | undefined =>
  mailbox === false ? undefined : pages.get(mailbox)?.get(range)

export const cachePage = (mailbox: MailboxObject | false, range: string, items: ReadonlyArray<ListItem>): void => {
  if (mailbox === false) return
  let ofFolder = pages.get(mailbox)
  if (ofFolder === undefined) pages.set(mailbox, (ofFolder = memory(pagesOfFolder)))
  ofFolder.set(range, new Map(items.map((item) => [item.uid, item])))
}
