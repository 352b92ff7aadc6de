/**
 * Changes of messages in one folder, on an account's session. Messages are named by uid; those that are not there are told apart
 * before anything is done. Source: RFC 3501, RFC 6851 (MOVE), RFC 4315 (UIDPLUS).
 */
import type { ImapFlow } from "imapflow"
import { MailRefused } from "../accounts/Exports.ts"
import { type FlagMode, flagChange } from "./MailFlags.ts"
import { madeForUse, sameFolder } from "./folders/Folders.ts"

export interface Moved {
  readonly folder: string
  /** Old uid to new, as far as the server says (UIDPLUS). */
  readonly uids: ReadonlyMap<number, number>
}

/** Does `work` with the folder selected for writing; fails as `NotFound` when there is none. */
export const inFolder = async <A>(client: ImapFlow, folder: string, work: () => Promise<A>): Promise<A> => {
  const before = client.mailbox
  const lock = await client.getMailboxLock(folder, { readOnly: false })
  try {
    // It was selected already: what other clients did since then the server tells when it is asked.
    if (client.mailbox === before) await client.noop()
    return await work()
  } finally {
    lock.release()
  }
}

/** Those of the uids that are in the selected folder. */
export const present = async (client: ImapFlow, uids: ReadonlyArray<number>): Promise<ReadonlyArray<number>> => {
  const found = await client.search({ uid: range(uids) }, { uid: true })
  if (!Array.isArray(found)) throw new MailRefused({ detail: "The mail server does not find messages by their uids." })
  // `*` is no uid of ours, yet a server may answer with more than it was asked for.
  const asked = new Set(uids)
  return found.filter((uid) => asked.has(uid))
}

/** Moves; where the server cannot, it copies and then deletes. */
export const move = async (client: ImapFlow, uids: ReadonlyArray<number>, target: string): Promise<Moved> => {
  const atOnce = client.capabilities.has("MOVE")
  const done = await (atOnce
    ? client.messageMove(range(uids), target, { uid: true })
    : client.messageCopy(range(uids), target, { uid: true }))
  if (done === false || done === undefined)
    throw new MailRefused({ detail: `The mail server does not move to ${target}.` })
  if (!atOnce) await erase(client, uids)
  return { folder: target, uids: done.uidMap ?? new Map() }
}

/**
 * Deletes these for good. Without UIDPLUS the server could only delete everything that is marked: then ours stay marked when somebody
 * else marked others, and go when that one's client expunges.
 */
export const erase = async (client: ImapFlow, uids: ReadonlyArray<number>): Promise<void> => {
  if (!(await client.messageFlagsAdd(range(uids), ["\\Deleted"], { uid: true, silent: true }))) {
    throw new MailRefused({ detail: "The mail server does not delete in this folder." })
  }
  if (!client.capabilities.has("UIDPLUS")) {
    const marked = await client.search({ deleted: true }, { uid: true })
    const ours = new Set(uids)
    if (!Array.isArray(marked) || marked.some((uid) => !ours.has(uid))) return
  }
  if (!(await client.messageDelete(range(uids), { uid: true })))
    throw new MailRefused({ detail: "The mail server does not expunge." })
}

/** To the trash folder, which is made when there is none; undefined: they were in it, and are gone for good. */
export const toTrash = async (
  client: ImapFlow,
  folder: string,
  uids: ReadonlyArray<number>
): Promise<Moved | undefined> => {
  const trash = await madeForUse(client, "\\Trash")
  if (!sameFolder(trash, folder)) return move(client, uids, trash)
  await erase(client, uids)
  return undefined
}

/** Flags of these messages, as they are afterwards. */
export const setFlags = async (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  mode: FlagMode,
  flags: ReadonlyArray<string>
) => {
  const current = mode === "set" ? [...(await flagsOf(client, uids)).values()].flat() : []
  const { add, remove } = flagChange(mode, flags, current)
  const done = [
    add.length === 0 || (await client.messageFlagsAdd(range(uids), add, { uid: true, silent: true })),
    remove.length === 0 || (await client.messageFlagsRemove(range(uids), remove, { uid: true, silent: true }))
  ]
  if (done.includes(false))
    throw new MailRefused({ detail: "The mail server does not keep these flags in this folder." })
  return flagsOf(client, uids)
}

const flagsOf = async (
  client: ImapFlow,
  uids: ReadonlyArray<number>
): Promise<ReadonlyMap<number, ReadonlyArray<string>>> => {
  const found = new Map<number, ReadonlyArray<string>>()
  for await (const { flags, uid } of client.fetch(range(uids), { flags: true, uid: true }, { uid: true })) {
    found.set(uid, [...(flags ?? [])].filter((flag) => flag !== "\\Recent").sort())
  }
  return found
}

const range = (uids: ReadonlyArray<number>): string => uids.join(",")
