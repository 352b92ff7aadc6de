/**
 * Changes messages of one folder on an account's session. Callers first drop uids that the folder does not contain.
 * Source: RFC 3501, RFC 6851 (MOVE), RFC 4315 (UIDPLUS).
 */
import type { ImapFlow } from "imapflow"
import { MailRefused } from "../accounts/Exports.ts"
import { type FlagMode, flagChange } from "./MailFlags.ts"
import { madeForUse, sameFolder } from "./folders/Folders.ts"

export interface Moved {
  readonly folder: string
  /** New uid by old uid, if the server reports it (UIDPLUS). */
  readonly uids: ReadonlyMap<number, number>
}

/** Runs `work` with the folder selected for writing. Fails with `NotFound` for a missing folder. */
export const inFolder = async <A>(client: ImapFlow, folder: string, work: () => Promise<A>): Promise<A> => {
  const before = client.mailbox
  const lock = await client.getMailboxLock(folder, { readOnly: false })
  try {
    // The folder was already selected. NOOP makes the server report changes of other clients.
    if (client.mailbox === before) await client.noop()
    return await work()
  } finally {
    lock.release()
  }
}

/** Those uids that the selected folder contains. */
export const present = async (client: ImapFlow, uids: ReadonlyArray<number>): Promise<ReadonlyArray<number>> => {
  const found = await client.search({ uid: range(uids) }, { uid: true })
  if (!Array.isArray(found)) throw new MailRefused({ detail: "The mail server refused the search by UID." })
  // A server may answer with more uids than were requested.
  const asked = new Set(uids)
  return found.filter((uid) => asked.has(uid))
}

/** Moves messages. Without MOVE it copies and then deletes them. */
export const move = async (client: ImapFlow, uids: ReadonlyArray<number>, target: string): Promise<Moved> => {
  const atOnce = client.capabilities.has("MOVE")
  const done = await (atOnce
    ? client.messageMove(range(uids), target, { uid: true })
    : client.messageCopy(range(uids), target, { uid: true }))
  if (done === false || done === undefined)
    throw new MailRefused({ detail: `The mail server refused to move the message to ${target}.` })
  if (!atOnce) await erase(client, uids)
  return { folder: target, uids: done.uidMap ?? new Map() }
}

/**
 * Deletes messages for good. Without UIDPLUS the server can only expunge all messages marked as deleted. If other
 * clients marked messages too, ours stay marked until one of these clients expunges.
 */
export const erase = async (client: ImapFlow, uids: ReadonlyArray<number>): Promise<void> => {
  if (!(await client.messageFlagsAdd(range(uids), ["\\Deleted"], { uid: true, silent: true }))) {
    throw new MailRefused({ detail: "The mail server refused to delete in this folder." })
  }
  if (!client.capabilities.has("UIDPLUS")) {
    const marked = await client.search({ deleted: true }, { uid: true })
    const ours = new Set(uids)
    if (!Array.isArray(marked) || marked.some((uid) => !ours.has(uid))) return
  }
  if (!(await client.messageDelete(range(uids), { uid: true })))
    throw new MailRefused({ detail: "The mail server refused to expunge." })
}

/**
 * Moves messages to the trash folder and creates it if needed. Undefined: they were in the trash and are deleted for
 * good.
 */
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

/** Changes flags and returns the resulting flags. */
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
    throw new MailRefused({ detail: "The mail server does not store these flags in this folder." })
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
