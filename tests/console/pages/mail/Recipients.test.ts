import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addressIn, complete, last, plausible, split, written } from "../../../../console/pages/mail/Recipients.ts"

describe("recipients as they are typed", () => {
  it("parts them at commas and semicolons, not inside quotes", () => {
    expect(split('a@b.test, "Far, Pia" <p@f.test>;c@d.test ,, ')).toEqual([
      "a@b.test",
      '"Far, Pia" <p@f.test>',
      "c@d.test"
    ])
    expect(split('"un, closed <a@b.test>, x')).toEqual(['"un, closed <a@b.test>, x'])
    expect(split(" , ; ")).toEqual([])
  })

  it("knows what is being typed, and puts it in full", () => {
    expect([last("a@b.test, pi"), last("a@b.test, "), last("")]).toEqual(["pi", "", ""])
    expect(complete("a@b.test, pi", "Pia <p@f.test>")).toBe("a@b.test, Pia <p@f.test>, ")
    expect(complete("pi", "Pia <p@f.test>")).toBe("Pia <p@f.test>, ")
  })

  it("writes a name so that it is read as the same", () => {
    expect(written({ name: 'Far, Pia "the"', address: "p@f.test" })).toBe('"Far, Pia \\"the\\"" <p@f.test>')
    expect([written({ name: "", address: "p@f.test" }), written({ name: "Jörg Ö", address: "p@f.test" })]).toEqual([
      "p@f.test",
      "Jörg Ö <p@f.test>"
    ])
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), (names) => {
        const people = names.map((name, at) => written({ name, address: `p${at}@f.test` }))
        expect(split(people.join(", ")).map(addressIn)).toEqual(names.map((_, at) => `p${at}@f.test`))
      })
    )
  })

  it("takes for an address what may be one", () => {
    for (const good of ["a@b", "A B <a@b.test>", '"x, y" <a@b.test>']) expect(plausible(good), good).toBe(true)
    for (const bad of ["a", "a@", "@b", "a b@c", "A <a>", "<a@b", "a@b>"]) expect(plausible(bad), bad).toBe(false)
  })
})
