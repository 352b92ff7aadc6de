/**
 * Keys of mails that were refused temporarily while the end of their transaction was not known. The sender repeats the
 * same bytes; with the same key they become no second alarm. In memory: after a restart the cooldown of comm-dispatcher
 * marks the repetition as a duplicate.
 */
import { hash, randomUUID } from "node:crypto"

/** How long a refused mail is remembered. Unit: milliseconds. Reason: mail servers retry after 5 to 30 minutes. */
const kept = 3_600_000

/** Maximum number of remembered mails. Reason: bounds the memory (about 200 bytes each); the oldest is forgotten. */
const most = 10_000

export interface UnsureMails {
  /** Key of the mail: that of its refused earlier try, else a new one. `refused`: keeps the key for the next try. */
  readonly take: (
    mail: Uint8Array,
    from: string,
    to: ReadonlyArray<string>
  ) => { readonly key: string; readonly refused: () => void }
}

export const make = (now: () => number = Date.now): UnsureMails => {
  const keys = new Map<string, { readonly key: string; readonly at: number }>()
  return {
    take: (mail, from, to) => {
      const digest = `${hash("sha256", mail)} ${hash("sha256", JSON.stringify([from, to]))}`
      const known = keys.get(digest)
      keys.delete(digest)
      const key = known !== undefined && known.at > now() - kept ? known.key : `smtp:${randomUUID()}`
      const refused = () => {
        keys.set(digest, { key, at: now() })
        if (keys.size > most) keys.delete(keys.keys().next().value!)
      }
      return { key, refused }
    }
  }
}
