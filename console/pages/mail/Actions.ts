/** Changes messages, informs all components that show them, and offers the undo. */
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { offerUndo } from "../../lib/Undo.ts"
import { changes } from "./Shapes.ts"

const t = words({
  en: {
    moved: (count: number) => (count === 1 ? "The mail is moved." : `${count} mails are moved.`),
    deleted: (count: number) => (count === 1 ? "The mail is deleted." : `${count} mails are deleted.`),
    read: (count: number) => (count === 1 ? "The mail is marked as read." : `${count} mails are marked as read.`),
    unread: (count: number) => (count === 1 ? "The mail is marked as unread." : `${count} mails are marked as unread.`),
    starred: (count: number) => (count === 1 ? "The mail is starred." : `${count} mails are starred.`),
    unstarred: (count: number) =>
      count === 1 ? "The mail is not starred any more." : `${count} mails are not starred any more.`
  },
  de: {
    moved: (count: number) => (count === 1 ? "Die Mail ist verschoben." : `${count} Mails sind verschoben.`),
    deleted: (count: number) => (count === 1 ? "Die Mail ist gelöscht." : `${count} Mails sind gelöscht.`),
    read: (count: number) =>
      count === 1 ? "Die Mail ist als gelesen markiert." : `${count} Mails sind als gelesen markiert.`,
    unread: (count: number) =>
      count === 1 ? "Die Mail ist als ungelesen markiert." : `${count} Mails sind als ungelesen markiert.`,
    starred: (count: number) => (count === 1 ? "Die Mail ist markiert." : `${count} Mails sind markiert.`),
    unstarred: (count: number) =>
      count === 1 ? "Die Mail ist nicht mehr markiert." : `${count} Mails sind nicht mehr markiert.`
  }
})

export type Change =
  | { readonly action: "move"; readonly target: string }
  | { readonly action: "delete" }
  | { readonly action: "flags"; readonly flags: Array<string>; readonly mode: "add" | "remove" }

export const markRead: Change = { action: "flags", flags: ["\\Seen"], mode: "add" }
export const markUnread: Change = { action: "flags", flags: ["\\Seen"], mode: "remove" }
export const star: Change = { action: "flags", flags: ["\\Flagged"], mode: "add" }
export const unstar: Change = { action: "flags", flags: ["\\Flagged"], mode: "remove" }

/** Maximum number of messages per request. Source: mail-watcher, bulk changes. */
const atOnce = 500

const change = async (
  account: string | undefined,
  folder: string,
  uids: ReadonlyArray<number>,
  what: Change
): Promise<ReadonlyArray<Answer<"POST /api/v1/mail/webmail/messages/:folder/bulk">>> => {
  const answers = []
  try {
    for (let at = 0; at < uids.length; at += atOnce) {
      answers.push(
        await call("POST /api/v1/mail/webmail/messages/:folder/bulk", {
          params: { folder },
          query: { account },
          payload: { uids: uids.slice(at, at + atOnce), ...what }
        })
      )
    }
  } finally {
    changes.value++
  }
  return answers
}

/** What an action needs to know of a message, so that its undo changes no other one. */
export interface Marked {
  readonly uid: number
  readonly seen: boolean
  readonly flagged: boolean
}

/** Whether a change of flags changes this message. */
const alters = ({ flags, mode }: Extract<Change, { action: "flags" }>, { flagged, seen }: Marked): boolean =>
  (flags.includes("\\Seen") ? seen : flagged) !== (mode === "add")

/**
 * Changes messages, and offers the undo. Only messages that the action changed are changed back. Nothing is offered
 * when messages are gone for good, or when the server does not say which they are in their new folder.
 */
export const changeMessages = async (
  account: string | undefined,
  folder: string,
  messages: ReadonlyArray<Marked>,
  what: Change
): Promise<void> => {
  const answers = await change(
    account,
    folder,
    messages.map(({ uid }) => uid),
    what
  )
  if (what.action === "flags") {
    const altered = messages.filter((one) => alters(what, one)).map(({ uid }) => uid)
    if (altered.length === 0) return
    const back: Change = { ...what, mode: what.mode === "add" ? "remove" : "add" }
    return offerUndo({
      done: () => t()[nameOf(what)](altered.length),
      undo: () => change(account, folder, altered, back)
    })
  }
  const target = answers[0]?.folder ?? null
  const moved = answers.flatMap((answer) => answer.messages.map(({ new_uid }) => new_uid))
  const known = moved.filter((uid) => uid !== null)
  if (target === null || moved.length === 0 || known.length < moved.length) return
  offerUndo({
    done: () => t()[what.action === "delete" ? "deleted" : "moved"](known.length),
    undo: () => change(account, target, known, { action: "move", target: folder })
  })
}

const nameOf = ({ flags, mode }: Extract<Change, { action: "flags" }>) =>
  flags.includes("\\Seen") ? (mode === "add" ? "read" : "unread") : mode === "add" ? "starred" : "unstarred"
