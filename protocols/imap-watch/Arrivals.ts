/** New messages of a folder, collected from the answers to FETCH. Bounded, whatever the server sends. Opens nothing. */
import { type MessageHead, readHead } from "./MessageHead.ts"
import type { FolderStatus, Response } from "./Untagged.ts"

export interface Message extends MessageHead {
  readonly uid: number
  readonly internalDate: Date | undefined
  /** Size of the whole message. Unit: bytes. */
  readonly size: number | undefined
}

export interface Arrivals {
  /** UIDVALIDITY of the folder when it was read; undefined when the server did not send it. */
  readonly uidValidity: number | undefined
  /** Sorted by UID. */
  readonly messages: ReadonlyArray<Message>
  /** UID for the next read: all messages below it were returned or no longer exist. */
  readonly next: number
  /** Whether there are messages from `next` on. */
  readonly more: boolean
  /** All known counters of the folder. */
  readonly status: FolderStatus
}

/**
 * UIDs per FETCH. Reason: bounds the memory to 1.6 MB; the messages of one page are also announced in one transaction.
 */
export const pageUids = 200

/** Highest UID. Source: RFC 3501 §2.3.1.1, 32 bits. */
export const maxUid = 4_294_967_295

export class Collected {
  uidNext: number | undefined
  uidValidity: number | undefined
  readonly #messages = new Map<number, Message>()
  /** Lowest UID that the server sent. */
  lowest: number | undefined
  #from = 0
  #to = 0

  /** Sets the UID range of the next FETCH; messages outside it are ignored. */
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

  /** Result after the last FETCH was answered. `status`: the known counters of the folder. */
  arrivals(status: FolderStatus): Arrivals {
    const messages = Array.from(this.#messages.values()).sort((one, other) => one.uid - other.uid)
    const uidNext = Math.max(this.uidNext ?? 0, (messages.at(-1)?.uid ?? 0) + 1)
    const next = Math.max(Math.min(uidNext, this.#to + 1), 1)
    return { uidValidity: this.uidValidity, messages, next, more: next < uidNext, status }
  }
}

const uidOf = (text: string): number | undefined => (/^\d{1,10}$/.test(text) ? Number(text) : undefined)
