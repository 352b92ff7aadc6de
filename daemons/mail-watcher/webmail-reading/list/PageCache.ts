/**
 * Cache of the pages of an open folder. A message never changes except for its flags, and its UID stays valid while the
 * folder is open (RFC 3501 §2.3.1.1). People return to a page after each message, so most of it need not be fetched
 * again.
 */
import type { MailboxObject } from "imapflow"
import { type Memory, memory } from "#core/lane/Remembering.ts"
import type { ListItem } from "./ListItem.ts"

/**
 * Maximum number of cached pages per folder. Reason: people switch between neighbouring pages; a page takes 25 KB while
 * the folder is open.
 */
const pagesOfFolder = 4

/** Messages of a page by UID, with the flags at the time of caching. */
export type CachedPage = ReadonlyMap<number, ListItem>

/** Pages by opened folder. Opening a folder again makes a new key. */
const pages = new WeakMap<MailboxObject, Memory<string, CachedPage>>()

/** `range` is a range of sequence numbers. The UIDs show which messages it means now. */
export const cachedPage = (mailbox: MailboxObject | false, range: string): CachedPage | undefined =>
  mailbox === false ? undefined : pages.get(mailbox)?.get(range)

export const cachePage = (mailbox: MailboxObject | false, range: string, items: ReadonlyArray<ListItem>): void => {
  if (mailbox === false) return
  let ofFolder = pages.get(mailbox)
  if (ofFolder === undefined) pages.set(mailbox, (ofFolder = memory(pagesOfFolder)))
  ofFolder.set(range, new Map(items.map((item) => [item.uid, item])))
}
