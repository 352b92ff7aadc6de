import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PurgeHomes from "#daemons/mail-admin/mail-server/PurgeHomes.ts"
import { temporaryDirectory } from "#support/Postgres.ts"

describe("the folder of a deleted mailbox", () => {
  it.each([
    ["mailbox/17", "/mail/mailbox/17"],
    ["example.org/anna.b-c_d", "/mail/example.org/anna.b-c_d"],
    ["mailbox/..", undefined],
    ["../etc", undefined],
    ["mailbox/1/2", undefined],
    ["mailbox/", undefined],
    ["/etc", undefined],
    ["", undefined]
  ])("%s is %s", (home, path) => {
    expect(PurgeHomes.pathOf("/mail", home)).toBe(path)
  })

  it("has no path below a relative folder", () => {
    expect(PurgeHomes.pathOf("mail", "mailbox/17")).toBeUndefined()
  })

  it.live("is deleted with its content, and a symbolic link is refused", () =>
    Effect.gen(function* () {
      const root = yield* temporaryDirectory()
      mkdirSync(`${root}/17/Maildir/new`, { recursive: true })
      writeFileSync(`${root}/17/Maildir/new/1`, "x")
      symlinkSync(`${root}/17`, `${root}/18`)
      expect(() => PurgeHomes.remove(`${root}/18`)).toThrow("is not a directory")
      expect([PurgeHomes.remove(`${root}/17`), existsSync(`${root}/17`)]).toEqual([true, false])
      expect(PurgeHomes.remove(`${root}/17`)).toBe(false)
    })
  )
})
