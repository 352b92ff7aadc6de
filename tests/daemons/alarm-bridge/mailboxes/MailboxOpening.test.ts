import { describe, expect, it } from "vitest"
import { type Cursor, decideOpening, isNew, triggerKey } from "#daemons/alarm-bridge/mailboxes/MailboxOpening.ts"

const cursor: Cursor = { uidValidity: 10n, generation: 0, lastUid: 5, resetUntil: 0, resetSince: undefined }

describe("opening", () => {
  it.each([
    ["first sight skips what lies there", undefined, { uidValidity: 10n, uidNext: 8 }, { _tag: "First", lastUid: 7 }],
    ["nothing new", cursor, { uidValidity: 10n, uidNext: 6 }, { _tag: "Continue" }],
    ["something new", cursor, { uidValidity: 10n, uidNext: 9 }, { _tag: "Continue" }],
    ["a higher UIDVALIDITY", cursor, { uidValidity: 11n, uidNext: 3 }, { _tag: "Reset", generation: 0, until: 2 }],
    [
      "a lower one: its keys may be used up",
      cursor,
      { uidValidity: 9n, uidNext: 30 },
      { _tag: "Reset", generation: 1, until: 29 }
    ],
    [
      "the same one with lower UIDs",
      cursor,
      { uidValidity: 10n, uidNext: 5 },
      { _tag: "Reset", generation: 1, until: 4 }
    ]
  ] as const)("%s", (_name, known, opened, expected) => {
    expect(decideOpening(known, opened, "skip")).toEqual(expected)
  })
  it("first sight takes all when told so", () => {
    expect(decideOpening(undefined, { uidValidity: 10n, uidNext: 8 }, "take")).toEqual({ _tag: "First", lastUid: 0 })
  })
})

describe("sifting after a reset", () => {
  const reset: Cursor = { ...cursor, resetUntil: 20, resetSince: new Date(1_000_000) }
  it.each([
    ["later mail is taken", { uid: 21, internalDate: new Date(0), taken: true }, true],
    ["new by its date", { uid: 20, internalDate: new Date(1_000_001), taken: false }, true],
    ["taken before", { uid: 20, internalDate: new Date(1_000_001), taken: true }, false],
    ["old by its date", { uid: 20, internalDate: new Date(1_000_000), taken: false }, false]
  ])("%s", (_name, mail, expected) => {
    expect(isNew(reset, mail)).toBe(expected)
  })
})

it("a key is never used for two mails", () => {
  expect(triggerKey("alarms", cursor, 6)).toBe("imap:alarms:10:6")
  expect(triggerKey("alarms", { ...cursor, generation: 1 }, 6)).toBe("imap:alarms:10.1:6")
})
