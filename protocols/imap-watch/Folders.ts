/**
 * What is known of a mailbox's folders, and what an answer of the server changes about it. Opens nothing and waits for
 * nothing. Repeated answers tell nothing: Dovecot sends a folder's STATUS several times when one message comes.
 */
import type { FolderStatus, Response } from "./Untagged.ts"

export interface Change {
  readonly folder: string
  /**
   * `status`: counters of the folder changed, or are first known (every folder once, at the start); `exists`,
   * `expunge`, `flags`: said of the selected folder only; `listed`: a folder nobody knew; `renamed`: it was `from`;
   * `gone`: it is no more, or has another name; `looked`: of no folder, everything was looked at.
   */
  readonly kind: "status" | "exists" | "expunge" | "flags" | "listed" | "renamed" | "gone" | "looked"
  /** All that is known now, not only what changed. */
  readonly status: FolderStatus
  readonly from?: string
}

/** Folders of one mailbox that are kept in mind. Reason: far above any person's; each costs about 200 bytes. */
export const maxFolders = 10_000

/**
 * Longest name that is kept in mind. Unit: UTF-16 units. Reason: far above any file system's path that people fill;
 * longer ones are passed over.
 */
export const maxNameLength = 2_000

/** A string of its own: what is cut out of a line keeps the whole line in memory, up to 64 KiB for a short name. */
const own = (name: string): string => Buffer.from(name, "utf16le").toString("utf16le")

export class Folders {
  readonly #known = new Map<string, FolderStatus>()
  /** Whose messages EXISTS, EXPUNGE and FETCH speak of. */
  #selected: string | undefined
  /** While a round of looking goes on: what it saw. */
  #seen: Set<string> | undefined

  /** Of each folder that is there. */
  get known(): ReadonlyMap<string, FolderStatus> {
    return this.#known
  }

  select(folder: string | undefined): void {
    this.#selected = folder
  }

  /** From here to `endRound` the server lists all there is. */
  beginRound(): void {
    this.#seen = new Set()
  }

  /** What was not listed is gone. */
  endRound(): ReadonlyArray<Change> {
    const seen = this.#seen ?? new Set()
    this.#seen = undefined
    return Array.from(this.#known.keys())
      .filter((folder) => !seen.has(folder))
      .flatMap((folder) => this.#forget(folder))
  }

  /** Of this round, in the order in which they were listed. */
  get seen(): ReadonlyArray<string> {
    return [...(this.#seen ?? [])]
  }

  /** What the answer changes; a text when it is beyond what can be kept. */
  hear(response: Response): ReadonlyArray<Change> | string {
    if (response._tag === "Status" || response._tag === "List") {
      if (response.folder.length > maxNameLength) return []
      const folder = own(response.folder)
      return response._tag === "Status"
        ? this.#count(folder, response.status)
        : this.#list({ ...response, folder, oldName: response.oldName && own(response.oldName) })
    }
    return this.#selected === undefined ? [] : this.#hearSelected(this.#selected, response)
  }

  #count(folder: string, counted: FolderStatus): ReadonlyArray<Change> | string {
    this.#seen?.add(folder)
    const known = this.#known.get(folder)
    if (known === undefined && this.#known.size >= maxFolders) return `more than ${maxFolders} folders`
    // Another UIDVALIDITY: another folder of the same name, of which nothing is known.
    const another =
      known?.uidValidity !== undefined && counted.uidValidity !== undefined && counted.uidValidity !== known.uidValidity
    const status = another ? counted : { ...known, ...counted }
    if (known !== undefined && equal(known, status)) return []
    this.#known.set(folder, status)
    return [{ folder, kind: "status", status }]
  }

  #list({ attributes, folder, oldName }: Extract<Response, { readonly _tag: "List" }>): ReadonlyArray<Change> | string {
    if (attributes.includes("\\nonexistent")) return this.#forget(folder)
    if (attributes.includes("\\noselect")) return []
    this.#seen?.add(folder)
    if (this.#known.has(folder)) return []
    if (this.#known.size >= maxFolders) return `more than ${maxFolders} folders`
    const status = (oldName === undefined ? undefined : this.#known.get(oldName)) ?? {}
    if (oldName !== undefined) this.#known.delete(oldName)
    this.#known.set(folder, status)
    return [
      oldName === undefined ? { folder, kind: "listed", status } : { folder, kind: "renamed", status, from: oldName }
    ]
  }

  #forget(folder: string): ReadonlyArray<Change> {
    const status = this.#known.get(folder)
    return status !== undefined && this.#known.delete(folder) ? [{ folder, kind: "gone", status }] : []
  }

  #hearSelected(folder: string, response: Response): ReadonlyArray<Change> {
    const known = this.#known.get(folder) ?? {}
    const change = (kind: Change["kind"], messages: number | undefined): ReadonlyArray<Change> => {
      const status = messages === undefined ? known : { ...known, messages }
      this.#known.set(folder, status)
      return [{ folder, kind, status }]
    }
    if (response._tag === "Exists")
      return response.messages === known.messages ? [] : change("exists", response.messages)
    if (response._tag === "Expunge")
      return change("expunge", known.messages === undefined ? undefined : Math.max(0, known.messages - 1))
    if (response._tag === "Vanished") return change("expunge", undefined)
    return response._tag === "Fetch" && response.flags !== undefined ? change("flags", undefined) : []
  }
}

const equal = (one: FolderStatus, other: FolderStatus): boolean =>
  one.messages === other.messages &&
  one.uidNext === other.uidNext &&
  one.uidValidity === other.uidValidity &&
  one.unseen === other.unseen &&
  one.highestModSeq === other.highestModSeq
