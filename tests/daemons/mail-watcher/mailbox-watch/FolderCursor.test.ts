import {
  compare,
  countersOf,
  isRecent,
  isWatchable,
  type FolderCursor,
  type ScanTimes,
  maxCounter,
  announcedMemory,
  reconcile,
  dateTolerance
} from "#daemons/mail-watcher/mailbox-watch/FolderCursor.ts"
import type { FolderStatus } from "#protocols/imap-watch/Untagged.ts"
import { describe, expect, it } from "@effect/vitest"

const now = 1_800_000_000_000
const later: ScanTimes = { now, first: now - 30 * 86_400_000, last: now - 60_000, fresh: false }
const cursor = (uidValidity: number, uidNext: number): FolderCursor => ({
  uidValidity,
  uidNext,
  since: 0,
  messages: 0,
  unseen: 0
})
const status = (uidValidity: number, uidNext: number): FolderStatus => ({
  uidValidity,
  uidNext,
  messages: 3,
  unseen: 2
})
const steps = (cursors: Record<string, FolderCursor>, folders: Record<string, FolderStatus>, look = later) =>
  reconcile(new Map(Object.entries(cursors)), new Map(Object.entries(folders)), look).map((step) => [
    step._tag,
    step._tag === "Rename" ? `${step.from} > ${step.folder}` : step.folder,
    step.cursor.uidNext
  ])

describe("FolderCursor", () => {
  it("treats messages at the first scan as old, except in a new mailbox", () => {
    const first = { ...later, first: undefined, last: undefined }
    expect(steps({}, { INBOX: status(1, 900) }, first)).toEqual([["Begin", "INBOX", 900]])
    expect(steps({}, { INBOX: status(1, 900) }, { ...first, fresh: true })).toEqual([["Begin", "INBOX", 700]])
    expect(steps({}, { INBOX: status(1, 3) }, { ...first, fresh: true })).toEqual([["Begin", "INBOX", 1]])
  })

  it("clamps counters to the column's range", () => {
    const first = { ...later, first: undefined, last: undefined }
    const huge = { uidValidity: 1, uidNext: 9, messages: 4_294_967_295, unseen: 9_999_999_999 }
    const [begin] = reconcile(new Map(), new Map([["INBOX", huge]]), first)
    expect(begin).toMatchObject({ cursor: { messages: maxCounter, unseen: maxCounter } })
    expect(countersOf(cursor(1, 1), huge)).toEqual({ messages: maxCounter, unseen: maxCounter })
    expect(countersOf({ messages: 3, unseen: 2 }, { unseen: 1 })).toEqual({ messages: 3, unseen: 1 })
  })

  it("reads a new folder from its beginning", () => {
    expect(steps({ INBOX: cursor(1, 5) }, { INBOX: status(1, 5), New: status(2, 9) })).toEqual([["Begin", "New", 1]])
  })

  it("keeps the cursor of a renamed folder", () => {
    expect(steps({ a: cursor(4, 7) }, { b: status(4, 9) })).toEqual([["Rename", "a > b", 7]])
    // The folder has fewer messages than were announced, or a different UIDVALIDITY.
    expect(steps({ a: cursor(4, 7) }, { b: status(4, 6) })).toEqual([
      ["Begin", "b", 1],
      ["Drop", "a", 7]
    ])
    expect(steps({ a: cursor(4, 7) }, { b: status(5, 9) })).toEqual([
      ["Begin", "b", 1],
      ["Drop", "a", 7]
    ])
    // The old folder still exists, so the new one is a copy, whatever its UIDVALIDITY.
    expect(steps({ a: cursor(4, 7) }, { a: status(4, 7), b: status(4, 9) })).toEqual([["Begin", "b", 1]])
    // When all folders have the same UIDVALIDITY: prefer an equal last name, then the cursor that skips the fewest
    // messages. Each folder is used once.
    expect(steps({ "x/a": cursor(1, 3), "x/b": cursor(1, 2) }, { "y/a": status(1, 9) })).toEqual([
      ["Rename", "x/a > y/a", 3],
      ["Drop", "x/b", 2]
    ])
    expect(steps({ a: cursor(1, 3), b: cursor(1, 2) }, { c: status(1, 9) })).toEqual([
      ["Rename", "b > c", 2],
      ["Drop", "a", 3]
    ])
    expect(steps({ a: cursor(1, 3) }, { b: status(1, 9), c: status(1, 9) })).toEqual([
      ["Rename", "a > b", 3],
      ["Begin", "c", 1]
    ])
  })

  it("ignores folders that cannot be watched or stored", () => {
    const good = status(1, 2)
    const cases: ReadonlyArray<readonly [string, FolderStatus, boolean]> = [
      ["a", good, true],
      ["a".repeat(2_000), good, true],
      ["ä".repeat(1_001), good, false],
      ["a\0", good, false],
      ["\ud800", good, false],
      ["", good, false],
      ["a", { uidNext: 3 }, false]
    ]
    for (const [folder, told, watchable] of cases)
      expect([folder, isWatchable(folder, told)]).toEqual([folder, watchable])
    expect(steps({}, { "a\0": good })).toEqual([])
  })

  it("distinguishes a recreated folder, new messages and changed counters", () => {
    const known = { ...cursor(1, 5), messages: 3, unseen: 2 }
    expect(compare(known, status(1, 5))).toBe("Same")
    expect(compare(known, { uidValidity: 1 })).toBe("Same")
    expect(compare(known, { ...status(1, 5), unseen: 1 })).toBe("Count")
    expect(compare(known, status(1, 6))).toBe("Read")
    // Announced before it was read.
    expect(compare(known, { ...status(1, 4) })).toBe("Same")
    expect(compare(known, status(2, 1))).toBe("Recreated")
  })

  it("decides by date whether a message is new", () => {
    const recent = (ago: number, since: number, look = later) =>
      isRecent(new Date(now - ago), { ...cursor(1, 1), since: now - since }, look)
    expect(recent(dateTolerance, dateTolerance)).toBe(true)
    expect(recent(dateTolerance + 1, dateTolerance)).toBe(false)
    // After ten days without a scan, messages from these days are new.
    const away = { ...later, last: now - 10 * 86_400_000 }
    expect(recent(9 * 86_400_000, 365 * 86_400_000, away)).toBe(true)
    expect(recent(announcedMemory + 60_000, 365 * 86_400_000)).toBe(true)
    expect(recent(announcedMemory + 60_001, 365 * 86_400_000)).toBe(false)
    expect(isRecent(undefined, cursor(1, 1), later)).toBe(true)
  })
})
