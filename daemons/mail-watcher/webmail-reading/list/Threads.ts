/**
 * Conversations, newest first. The mail server's THREAD (RFC 5256; REFS ignores subjects) groups the newest messages of
 * the folder. Without THREAD, message ids group the messages of one page.
 */
import type { FetchMessageObject } from "imapflow"
import { type Value, isList, wordOf } from "#protocols/imap-watch/Values.ts"
import { messageIds } from "#protocols/mail-address/MessageId.ts"
import { command, isNumber, openFolder } from "../../accounts/Exports.ts"
import type { Source } from "../AccountReader.ts"
import type { ListItem } from "./ListItem.ts"
import { itemsOf } from "./MessageList.ts"
import { byUid, select } from "./Selection.ts"

/**
 * Maximum number of messages that are threaded. Reason: their numbers must fit in one line of `maxLine`; older messages
 * can be searched.
 */
export const maxThreaded = 5_000

/** Maximum number of listed messages per conversation, the newest ones. */
export const maxListed = 100

export interface Thread {
  /** Number of threaded messages in the conversation. */
  readonly count: number
  /** Oldest first, at most `maxListed`. */
  readonly messages: ReadonlyArray<ListItem>
}

export interface ThreadPage {
  readonly items: ReadonlyArray<Thread>
  /** Grouped by the server with this algorithm, or by us among the messages of this `page`. */
  readonly method: "REFS" | "REFERENCES" | "page"
  /** Number of conversations. With `page` it is unknown, and messages are counted. */
  readonly total: number
  readonly page: number
  readonly per_page: number
  readonly pages: number
}

/** One page of conversations of a folder, newest first. Throws the errors of imapflow. */
export const threadPage = async (
  source: Source,
  folder: string,
  page: number,
  perPage: number
): Promise<ThreadPage> => {
  const { client } = source
  const { exists } = await openFolder(client, folder)
  const method = client.capabilities.has("THREAD=REFS")
    ? "REFS"
    : client.capabilities.has("THREAD=REFERENCES")
      ? "REFERENCES"
      : undefined
  const threads = exists === 0 || method === undefined ? undefined : await threaded(source, exists, method)
  if (exists > 0 && threads === undefined) return byPage(source, exists, page, perPage)
  const all = threads ?? []
  const shown = all.slice((page - 1) * perPage, page * perPage)
  const order = shown.flatMap((uids) => uids.slice(-maxListed))
  const items = new Map((await itemsOf(source, byUid(order.length, order))).map((item) => [item.uid, item]))
  return {
    items: shown.map((uids) => ({
      count: uids.length,
      messages: uids.slice(-maxListed).flatMap((uid) => items.get(uid) ?? [])
    })),
    method: method ?? "REFS",
    total: all.length,
    page,
    per_page: perPage,
    pages: Math.ceil(all.length / perPage)
  }
}

/**
 * Ascending UIDs per conversation, the conversation with the newest message first. Undefined: the response was nested
 * too deeply.
 */
const threaded = async (
  { raw }: Source,
  exists: number,
  method: string
): Promise<ReadonlyArray<ReadonlyArray<number>> | undefined> => {
  const range = `${Math.max(1, exists - maxThreaded + 1)}:${exists}`
  const answers = await command(raw, `UID THREAD ${method} UTF-8 ${range}`, "THREAD")
  if (answers.length === 0) return undefined
  return answers
    .flat()
    .map((value) => numbers(value).sort((a, b) => a - b))
    .filter((uids) => uids.length > 0)
    .sort((a, b) => b.at(-1)! - a.at(-1)!)
}

/** Message numbers of a nested list. */
const numbers = (value: Value): Array<number> => {
  if (isList(value)) return value.flatMap(numbers)
  const word = wordOf(value) ?? ""
  return isNumber(word) ? [Number(word)] : []
}

const byPage = async (source: Source, exists: number, page: number, perPage: number): Promise<ThreadPage> => {
  const { client } = source
  const selected = await select(source, exists, { page, perPage })
  const items = await itemsOf(source, selected)
  const uids = items.map(({ uid }) => uid)
  const heads =
    uids.length === 0
      ? []
      : await client.fetchAll(
          uids.join(","),
          { uid: true, headers: ["message-id", "in-reply-to", "references"] },
          { uid: true }
        )
  const groups = grouped(heads.map(({ headers, uid }) => ({ uid, ids: idsOf(headers) })))
  const itemOf = new Map(items.map((item) => [item.uid, item]))
  return {
    items: groups.map((group) => ({ count: group.length, messages: group.flatMap((uid) => itemOf.get(uid) ?? []) })),
    method: "page",
    total: exists,
    page,
    per_page: perPage,
    pages: Math.ceil(exists / perPage)
  }
}

/** Maximum number of message IDs per message. */
const maxIds = 200

const idsOf = (headers: FetchMessageObject["headers"]): ReadonlyArray<string> => {
  const lines = (headers?.toString("latin1") ?? "").replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)
  return messageIds(
    lines.map((line) => line.slice(line.indexOf(":") + 1)),
    maxIds
  )
}

/** Groups messages that share an id. UIDs ascend, and the group with the newest message is first. Pure. */
export const grouped = (
  messages: ReadonlyArray<{ readonly uid: number; readonly ids: ReadonlyArray<string> }>
): ReadonlyArray<ReadonlyArray<number>> => {
  const groupOf = new Map<string, Set<number>>()
  const groups = new Set<Set<number>>()
  for (const { ids, uid } of messages) {
    const group = new Set([uid])
    groups.add(group)
    const known = new Set(ids.flatMap((id) => groupOf.get(id) ?? []))
    for (const other of known) {
      for (const member of other) group.add(member)
      groups.delete(other)
      for (const [id, named] of groupOf) if (named === other) groupOf.set(id, group)
    }
    for (const id of ids) groupOf.set(id, group)
  }
  return Array.from(groups, (group) => Array.from(group).sort((a, b) => a - b)).sort((a, b) => b.at(-1)! - a.at(-1)!)
}
