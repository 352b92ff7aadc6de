/** Changes messages and then informs all components that show them. */
import { call } from "../../lib/Call.ts"
import { changes } from "./Shapes.ts"

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

export const change = async (
  account: string | undefined,
  folder: string,
  uids: ReadonlyArray<number>,
  what: Change
): Promise<void> => {
  try {
    for (let at = 0; at < uids.length; at += atOnce) {
      await call("POST /api/v1/mail/webmail/messages/:folder/bulk", {
        params: { folder },
        query: { account },
        payload: { uids: uids.slice(at, at + atOnce), ...what }
      })
    }
  } finally {
    changes.value++
  }
}
