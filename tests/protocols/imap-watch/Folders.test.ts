import { Folders, maxFolders, maxNameLength } from "#protocols/imap-watch/Folders.ts"
import type { FolderStatus, Response } from "#protocols/imap-watch/Untagged.ts"
import { describe, expect, it } from "@effect/vitest"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const status = (folder: string, counted: FolderStatus): Response => ({ _tag: "Status", folder, status: counted })
const list = (
  folder: string,
  options: { readonly attributes?: ReadonlyArray<string>; readonly oldName?: string } = {}
): Response => ({
  _tag: "List",
  folder,
  attributes: options.attributes ?? [],
  delimiter: "/",
  oldName: options.oldName
})

/** Used memory after a complete garbage collection. Unit: bytes. */
const keptMemory = (): number => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
  return process.memoryUsage().heapUsed
}

describe("Folders", () => {
  it("tells of a counter once, with all that is known, and begins anew with another UIDVALIDITY", () => {
    const folders = new Folders()
    folders.hear(status("INBOX", { messages: 1, uidNext: 2, uidValidity: 5, unseen: 1 }))
    expect(folders.hear(status("INBOX", { messages: 1, uidValidity: 5 }))).toEqual([])
    expect(folders.hear(status("INBOX", { unseen: 0 }))).toEqual([
      { folder: "INBOX", kind: "status", status: { messages: 1, uidNext: 2, uidValidity: 5, unseen: 0 } }
    ])
    expect(folders.hear(status("INBOX", { messages: 0, uidValidity: 6 }))).toEqual([
      { folder: "INBOX", kind: "status", status: { messages: 0, uidValidity: 6 } }
    ])
  })

  it("knows where the user's own mail lies, by attribute or by the usual names", () => {
    const folders = new Folders()
    folders.hear(list("Ausgang", { attributes: ["\\hasnochildren", "\\sent"] }))
    folders.hear(list("INBOX.Entwürfe"))
    folders.hear(list("Notes", { attributes: ["\\drafts"] }))
    folders.hear(list("INBOX"))
    const uses = () => ["Ausgang", "INBOX.Entwürfe", "Notes", "INBOX"].map((name) => folders.useOf(name))
    expect(uses()).toEqual(["sent", "drafts", "drafts", undefined])
    folders.hear(list("Notes"))
    folders.hear(list("Post", { attributes: ["\\sent"], oldName: "Ausgang" }))
    expect([...uses(), folders.useOf("Post")]).toEqual([undefined, "drafts", undefined, undefined, "sent"])
  })

  it("tells of folders that are new, have another name or are gone", () => {
    const folders = new Folders()
    expect(folders.hear(list("a"))).toEqual([{ folder: "a", kind: "listed", status: {} }])
    expect(folders.hear(list("a"))).toEqual([])
    expect(folders.hear(list("top", { attributes: ["\\noselect"] }))).toEqual([])
    folders.hear(status("a", { messages: 3 }))
    expect(folders.hear(list("b", { oldName: "a" }))).toEqual([
      { folder: "b", kind: "renamed", status: { messages: 3 }, from: "a" }
    ])
    expect(folders.hear(list("b", { attributes: ["\\nonexistent"] }))).toEqual([
      { folder: "b", kind: "gone", status: { messages: 3 } }
    ])
    expect(folders.hear(list("b", { attributes: ["\\nonexistent"] }))).toEqual([])
  })

  it("keeps no more of a hostile list than the names, and no name without an end", () => {
    const folders = new Folders()
    const before = keptMemory()
    for (let at = 0; at < 2_000; at++) folders.hear(list(`${"x".repeat(60_000)}the name of folder ${at}`.slice(60_000)))
    expect(folders.known.size).toBe(2_000)
    expect(keptMemory() - before).toBeLessThan(60_000_000)
    expect(folders.hear(list("y".repeat(maxNameLength + 1)))).toEqual([])
    expect(folders.hear(status("y".repeat(maxNameLength + 1), { messages: 1 }))).toEqual([])
    expect(folders.known.size).toBe(2_000)
  })

  it("takes what a round did not list for gone", () => {
    const folders = new Folders()
    for (const name of ["a", "b", "c"]) folders.hear(list(name))
    folders.beginRound()
    folders.hear(list("a"))
    folders.hear(status("c", { messages: 1 }))
    expect(folders.seen).toEqual(["a", "c"])
    expect(folders.endRound().map(({ folder, kind }) => [folder, kind])).toEqual([["b", "gone"]])
  })

  it("hears of messages in the selected folder only", () => {
    const folders = new Folders()
    expect(folders.hear({ _tag: "Exists", messages: 1 })).toEqual([])
    folders.select("INBOX")
    expect(folders.hear({ _tag: "Exists", messages: 2 })).toEqual([
      { folder: "INBOX", kind: "exists", status: { messages: 2 } }
    ])
    expect(folders.hear({ _tag: "Exists", messages: 2 })).toEqual([])
    expect(folders.hear({ _tag: "Expunge", sequence: 1 })).toEqual([
      { folder: "INBOX", kind: "expunge", status: { messages: 1 } }
    ])
    expect(folders.hear({ _tag: "Fetch", sequence: 1, uid: undefined, flags: ["\\Seen"] })).toMatchObject([
      { kind: "flags" }
    ])
    expect(folders.hear({ _tag: "Fetch", sequence: 1, uid: 4, flags: undefined })).toEqual([])
  })

  it("keeps no more than a mailbox can have", () => {
    const folders = new Folders()
    for (let index = 0; index < maxFolders; index++) folders.hear(list(`f${index}`))
    expect([folders.hear(list("more")), folders.hear(status("more", {}))].map((heard) => typeof heard)).toEqual([
      "string",
      "string"
    ])
    expect(folders.hear(status("f1", { messages: 1 }))).toHaveLength(1)
  })
})
