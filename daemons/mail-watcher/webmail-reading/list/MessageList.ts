/** A page of the message list of a folder. */
import { Result } from "effect"
import type { FetchMessageObject, FetchQueryObject } from "imapflow"
import { listedItems, readListed } from "#protocols/imap-watch/ListedMessage.ts"
import { type RawCommands, openFolder } from "../../accounts/Exports.ts"
import type { Source } from "../AccountReader.ts"
import { oneLine, sentAt } from "../HeaderText.ts"
import { plainHead } from "../PlainHeader.ts"
import { type ListItem, listItem, marksOf } from "./ListItem.ts"
import { type CachedPage, cachePage, cachedPage } from "./PageCache.ts"
import { type PageRequest, type PageSelection, newest, select } from "./Selection.ts"

export interface ListPage {
  readonly items: ReadonlyArray<ListItem>
  readonly total: number
  readonly page: number
  readonly per_page: number
  readonly pages: number
}

/** Bytes of a header that are read when the message's structure exceeds our limits. Unit: bytes. */
const maxHead = 16 * 1024

const carefulFields: FetchQueryObject = {
  uid: true,
  flags: true,
  size: true,
  internalDate: true,
  bodyParts: [{ key: "HEADER", start: 0, maxLength: maxHead }]
}

/** One page of the messages of a folder, newest first. Throws the errors of imapflow. */
export const listPage = async (source: Source, folder: string, request: PageRequest): Promise<ListPage> => {
  const { page, perPage } = request
  const pageOf = ({ total }: PageSelection, items: ReadonlyArray<ListItem>): ListPage => ({
    items,
    total,
    page,
    per_page: perPage,
    pages: Math.ceil(total / perPage)
  })
  const expected = stands(source, folder, request)
  if (expected !== undefined) {
    const { items, news } = await fetched(source, expected, true)
    if (!news) return pageOf(expected, items)
  }
  const { exists } = await openFolder(source.client, folder, { fresh: expected === undefined })
  const selected = await select(source, exists, request)
  return pageOf(selected, await itemsOf(source, selected))
}

/**
 * The page under the assumption that the folder has not changed. The fetch itself then shows whether the assumption
 * holds.
 */
const stands = (
  { careful, client: { mailbox } }: Source,
  folder: string,
  request: PageRequest
): PageSelection | undefined => {
  const expected = careful || mailbox === false || mailbox.path !== folder ? undefined : newest(mailbox.exists, request)
  return expected?.range === undefined ? undefined : expected
}

/** List items of these messages, in order. Messages deleted meanwhile are left out. */
export const itemsOf = async (source: Source, selected: PageSelection): Promise<ReadonlyArray<ListItem>> =>
  (await fetched(source, selected, false)).items

/** `look`: also report whether the folder changed (`news`). If it did, the page is void and nothing more is fetched. */
const fetched = async ({ careful, client, raw }: Source, { order, range, uid }: PageSelection, look: boolean) => {
  if (range === undefined) return { items: [], news: false }
  const known = careful || uid ? undefined : cachedPage(client.mailbox, range)
  if (known !== undefined) {
    const { found, news } = await rowsOf(raw, { order, range, uid }, look, known)
    if (look && news) return { items: [], news: true }
    if (found.size === order.length) return { items: order.map((number) => found.get(number)!), news: false }
  }
  const { found, news } = careful
    ? { found: new Map<number, ListItem>(), news: false }
    : await rowsOf(raw, { order, range, uid }, look)
  if (look && news) return { items: [], news: true }
  const missing = order.filter((number) => !found.has(number))
  // Messages whose structure is nested too deeply, or that the server did not report as requested.
  if (missing.length > 0)
    for (const message of await client.fetchAll(missing.join(","), carefulFields, { uid }))
      found.set(uid ? message.uid : message.seq, await carefulItem(message))
  const items = order.flatMap((number) => found.get(number) ?? [])
  if (!careful && !uid) cachePage(client.mailbox, range, items)
  return { items, news: false }
}

/**
 * Fetches items with RawCommands instead of imapflow, which takes ten times as long for a response as the server. NOOP
 * follows the FETCH, because a server must not report expunged messages during a FETCH (RFC 3501 §5.5). Flags reported
 * after the NOOP are newer than the fetched ones. Each response becomes an item while the server prepares the next. For
 * a `known` page only UIDs and flags are fetched.
 */
const rowsOf = async (
  raw: RawCommands,
  { order, range, uid }: Omit<PageSelection, "total">,
  look: boolean,
  known?: CachedPage
) => {
  const found = new Map<number, ListItem>()
  const asked = new Set(order)
  const news = await raw.ask(
    [
      `${uid ? "UID " : ""}FETCH ${range} ${known === undefined ? listedItems : "(UID FLAGS)"}`,
      ...(look ? ["NOOP"] : [])
    ],
    (line) => {
      const listed = readListed(line)
      if (listed === undefined) return false
      if (Result.isFailure(listed)) return true
      const message = listed.success
      const number = uid ? message.uid : message.sequence
      if (number === undefined || !asked.has(number)) return true
      const item =
        message.envelope === undefined
          ? (found.get(number) ?? (message.uid === undefined ? undefined : known?.get(message.uid)))
          : listItem(message)
      if (item !== undefined)
        found.set(
          number,
          message.envelope === undefined && message.flags !== undefined ? { ...item, ...marksOf(message.flags) } : item
        )
      return true
    }
  )
  return { found, news }
}

const carefulItem = async ({
  flags = new Set(),
  headers,
  internalDate,
  size = 0,
  uid
}: FetchMessageObject): Promise<ListItem> => {
  const { envelope, mixed } = await plainHead(headers)
  const from = envelope.from?.[0]
  return {
    uid,
    from_addr: oneLine(from?.address),
    from_name: oneLine(from?.name),
    subject: oneLine(envelope.subject),
    date: sentAt(envelope.date, internalDate),
    ...marksOf(Array.from(flags)),
    has_attachments: mixed,
    size
  }
}
