import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { BanBook } from "#core/bans/BanBook.ts"
import { type BanRecord, decide, fresh } from "#core/bans/BanDecision.ts"
import { mailBruteForce } from "#daemons/mail-admin/bans/BanRules.ts"

describe("a ban book", () => {
  it("counts each address independently", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(60_000)), { maxLength: 200 }), (offences) => {
        const book = new BanBook(mailBruteForce)
        const alone = new Map<number, BanRecord>()
        let at = 0
        for (const [who, later] of offences) {
          at += later
          const decision = decide(alone.get(who) ?? fresh, at, mailBruteForce)
          alone.set(who, decision.record)
          expect(book.offend(`2001:db8::${who}`, at)).toBe(decision.bannedUntil)
        }
        expect(book.size).toBe(alone.size)
      })
    )
  })

  it("has a limited size, and evicts the address with the oldest offence", () => {
    const book = new BanBook(mailBruteForce, 3)
    for (let each = 0; each < 4; each++) book.offend("old", 0)
    for (let each = 0; each < 4; each++) book.offend("lively", 0)
    book.offend("second", 1)
    book.offend("third", 2)
    expect(book.size).toBe(3)
    // The entry was evicted, so its fifth offence counts as the first.
    expect(book.offend("old", 3)).toBeUndefined()
    expect(book.size).toBe(3)
    expect(book.offend("second", 4)).toBeUndefined()
    for (let each = 0; each < 10_000; each++) book.offend(`10.0.${each >> 8}.${each & 255}`, 5)
    expect(book.size).toBe(3)
  })

  it("does not ban an address again because others filled the book", () => {
    const book = new BanBook(mailBruteForce, 10)
    for (let each = 0; each < 5; each++) book.offend("banned", each)
    for (let each = 0; each < 1_000; each++) book.offend(`stranger ${each}`, 10)
    for (let each = 0; each < 20; each++) expect(book.offend("banned", 20 + each)).toBeUndefined()
    expect(book.size).toBe(11)
  })

  it("bans again after the ban has ended, and stores the address once", () => {
    const book = new BanBook(mailBruteForce)
    const day = 24 * 60 * 60_000
    const bans = [0, day, 2 * day].map((at) => Array.from({ length: 5 }, () => book.offend("again", at)).at(-1))
    expect(bans).toEqual([day, 2 * day, 3 * day])
    expect(book.size).toBe(1)
  })

  it("limits the number of bans", () => {
    const book = new BanBook(mailBruteForce, 10)
    for (let who = 0; who < 100; who++) for (let each = 0; each < 5; each++) book.offend(`address ${who}`, who)
    expect(book.size).toBe(10)
    expect(Array.from({ length: 10 }, () => book.offend("address 99", 100)).every((until) => until === undefined)).toBe(
      true
    )
  })

  it("bans each of many addresses once", () => {
    const book = new BanBook(mailBruteForce)
    let bans = 0
    for (let round = 0; round < 8; round++) {
      for (let who = 0; who < 5_000; who++) if (book.offend(`address ${who}`, round) !== undefined) bans++
    }
    expect(bans).toBe(5_000)
    expect(book.size).toBe(5_000)
  })
})
