/** What came to a folder: collected from the answers of one FETCH, bounded, whatever the server says. Opens nothing. */
import { type MessageHead, readHead } from "./MessageHead.ts"
import type { FolderStatus, Response } from "./Untagged.ts"

export interface Message extends MessageHead {
  readonly uid: number
  readonly internalDate: Date | undefined
  /** Unit: bytes. */
  readonly size: number | undefined
}

export interface Arrivals {
  /** Of the folder as it was read; undefined when the server does not say. */
  readonly uidValidity: number | undefined
  /** By UID. */
  readonly messages: ReadonlyArray<Message>
  /** Every message below was given or is gone: the UID to go on from. */
  readonly next: number
  /** There is more from `next` on. */
  readonly more: boolean
  /** All that is known of the folder's counters now. */
  readonly status: FolderStatus
}

/**
 * UIDs asked for at once. Unit: UIDs. Reason: bounds what is held to 1.6 MB, and as many are told of in one
 * transaction.
 */
export const pageUids = 200

/** Highest UID. Source: RFC 3501 §2.3.1.1, 32 bits. */
export const maxUid = 4_294_967_295

export class Collected {
  uidNext: number | undefined
  uidValidity: number | undefined
  readonly #messages = new Map<number, Message>()
  /** The lowest that was named. */
  lowest: number | undefined
  #from = 0
  #to = 0

  /** What is asked for next; what was not asked for is passed over. */
  expect(from: number, to: number): void {
    this.#from = from
    this.#to = to
  }

  hear(response: Response): void {
    if (response._tag === "State" && response.code?.name === "UIDNEXT") this.uidNext = uidOf(response.code.value)
    if (response._tag === "State" && response.code?.name === "UIDVALIDITY")
      this.uidValidity = uidOf(response.code.value)
    if (response._tag !== "Fetch" || response.uid === undefined || response.uid < this.#from || response.uid > this.#to)
      return
    const { message, uid } = response
    this.lowest = Math.min(uid, this.lowest ?? uid)
    if (message === undefined || this.#messages.size >= pageUids) return
    this.#messages.set(uid, { uid, internalDate: message.internalDate, size: message.size, ...readHead(message.head) })
  }

  /** After what was asked for last was answered; `status` as it is known of the folder. */
  arrivals(status: FolderStatus): Arrivals {
    const messages = Array.from(this.#messages.values()).sort((one, other) => one.uid - other.uid)
    const uidNext = Math.max(this.uidNext ?? 0, (messages.at(-1)?.uid ?? 0) + 1)
    const next = Math.max(Math.min(uidNext, this.#to + 1), 1)
    return { uidValidity: this.uidValidity, messages, next, more: next < uidNext, status }
  }
}

const uidOf = (text: string): number | undefined => (/^\d{1,10}$/.test(text) ? Number(text) : undefined)
