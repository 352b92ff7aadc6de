/** Order of the people found. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type Found, halfLife, rank, weight } from "#daemons/mail-watcher/people/contacts/Ranking.ts"

const person = (address: string, more: Partial<Found> = {}): Found => ({
  address,
  name: "",
  source: "recent",
  folded: address,
  uses: 1,
  days: 0,
  ...more
})
const order = (found: ReadonlyArray<Found>, words: ReadonlyArray<string>, limit = 10) =>
  rank(found, words, limit).map(({ address }) => address)

describe("ranking", () => {
  it("sorts by match, then by weight", () => {
    const people = [
      person("susan@b.test", { uses: 90 }),
      person("ann@b.test"),
      person("anna@b.test", { uses: 5 }),
      person("annika@b.test", { uses: 5, days: 200 })
    ]
    assert.deepStrictEqual(order(people, ["an"]), ["anna@b.test", "ann@b.test", "annika@b.test", "susan@b.test"])
    assert.deepStrictEqual(order(people, ["an"], 2), ["anna@b.test", "ann@b.test"])
    assert.deepStrictEqual(order([person("x-y@b.test"), person("oxy@b.test", { uses: 9 })], ["y", "b"]), [
      "x-y@b.test",
      "oxy@b.test"
    ])
  })

  it("halves the weight after a half-life", () => assert.strictEqual(weight({ uses: 8, days: halfLife }), 4))

  it("merges entries of one address", () => {
    const book = person("ann@b.test", { source: "address_book", name: "Ann of the book", uses: 0 })
    const found = [person("bob@b.test", { uses: 2 }), person("ann@b.test", { name: "ann", uses: 3 }), book, book]
    assert.deepStrictEqual(rank(found, ["test"], 10), [{ ...book, uses: 3 }, person("bob@b.test", { uses: 2 })])
  })

  const one = fc.record({
    address: fc.constantFrom("a@b.test", "b@b.test", "c@b.test", "d@b.test"),
    name: fc.constantFrom("", "x"),
    source: fc.constantFrom("recent" as const, "address_book" as const),
    folded: fc.constantFrom("a b", "ab", "b a", "c"),
    uses: fc.nat(5),
    days: fc.nat(100)
  })
  it("does not depend on the input order", () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(one, { selector: ({ address }) => address }),
        fc.integer({ min: 1, max: 4 }),
        (found, limit) => {
          const ranked = rank(found, ["b"], limit)
          assert.deepStrictEqual(ranked.map(({ address }) => address).length, Math.min(limit, found.length))
          assert.deepStrictEqual(rank(ranked, ["b"], limit), ranked)
        }
      )
    ))
})
