/**
 * Known state of a mailbox's folders, and the changes that each server response causes. Opens nothing and waits for
 * nothing. Repeated responses cause no change: Dovecot sends a folder's STATUS several times for one new message.
 */
import { type FolderUse, folderUse } from "./FolderUse.ts"
import type { FolderStatus, Response } from "./Untagged.ts"

export interface Change {
  readonly folder: string
  /**
   * Kind of the change.
   *
   * - `status`: counters changed or became known (once per folder at the start).
   * - `exists`, `expunge`, `flags`: messages of the selected folder changed.
   * - `listed`: a new folder. `renamed`: a folder that was named `from`.
   * - `gone`: the folder was deleted or renamed.
   * - `looked`: a scan of all folders is complete; belongs to no folder.
   */
  readonly kind: "status" | "exists" | "expunge" | "flags" | "listed" | "renamed" | "gone" | "looked"
  /** All known counters, not only the changed ones. */
  readonly status: FolderStatus
  readonly from?: string
}

/** Maximum number of folders of a mailbox. Reason: far above any real mailbox; each folder takes about 200 bytes. */
export const maxFolders = 10_000

/** Longest folder name. Unit: UTF-16 units. Reason: far above the paths that people use; longer names are ignored. */
export const maxNameLength = 2_000

/** Copies a string. A slice of a line would keep the whole line in memory, up to 64 KiB for a short name. */
const own = (name: string): string => Buffer.from(name, "utf16le").toString("utf16le")

export class Folders {
  readonly #known = new Map<string, FolderStatus>()
  /** Uses of the few folders that have one. */
  readonly #uses = new Map<string, FolderUse>()
  /** The folder to which EXISTS, EXPUNGE and FETCH refer. */
  #selected: string | undefined
  /** During a scan of all folders: the folders seen so far. */
  #seen: Set<string> | undefined

  /** Status of every existing folder. */
  get known(): ReadonlyMap<string, FolderStatus> {
    return this.#known
  }

  useOf(folder: string): FolderUse | undefined {
    return this.#uses.get(folder)
  }

  select(folder: string | undefined): void {
    this.#selected = folder
  }

  /** Begins a scan. Until `endRound` the server lists all folders. */
  beginRound(): void {
    this.#seen = new Set()
  }

  /** Ends a scan and removes folders that were not listed. */
  endRound(): ReadonlyArray<Change> {
    const seen = this.#seen ?? new Set()
    this.#seen = undefined
    return Array.from(this.#known.keys())
      .filter((folder) => !seen.has(folder))
      .flatMap((folder) => this.#forget(folder))
  }

  /** Folders of this scan, in the server's order. */
  get seen(): ReadonlyArray<string> {
    return [...(this.#seen ?? [])]
  }

  /** Applies a response and returns the changes; returns a text when a limit is exceeded. */
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
    // A new UIDVALIDITY means a new folder of the same name, so the old counters are invalid.
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
    const use = folderUse(folder, attributes)
    if (use === undefined) this.#uses.delete(folder)
    else this.#uses.set(folder, use)
    if (this.#known.has(folder)) return []
    if (this.#known.size >= maxFolders) return `more than ${maxFolders} folders`
    const status = (oldName === undefined ? undefined : this.#known.get(oldName)) ?? {}
    if (oldName !== undefined) {
      this.#known.delete(oldName)
      this.#uses.delete(oldName)
    }
    this.#known.set(folder, status)
    return [
      oldName === undefined ? { folder, kind: "listed", status } : { folder, kind: "renamed", status, from: oldName }
    ]
  }

  #forget(folder: string): ReadonlyArray<Change> {
    const status = this.#known.get(folder)
    this.#uses.delete(folder)
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
