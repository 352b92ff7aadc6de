import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { messageIds } from "#protocols/mail-address/MessageId.ts"

describe("the ids that a header names", () => {
  const cases: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = [
    [["<1@host>"], ["<1@host>"]],
    [["<1@host> <2@host>"], ["<1@host>", "<2@host>"]],
    [["<1@host><2@host>"], ["<1@host>", "<2@host>"]],
    [
      ["<1@host>", "<2@host>"],
      ["<1@host>", "<2@host>"]
    ],
    [["<1@host> <1@host>"], ["<1@host>"]],
    [["<A@host> <a@host>"], ["<A@host>", "<a@host>"]],
    [["<a.very.long.id@\r\n host.example>"], ["<a.very.long.id@host.example>"]],
    [['Your message of Mon, 1 Jan <1@host> (about "the fire")'], ["<1@host>"]],
    [["1@host"], ["<1@host>"]],
    [["1@host, 2@host"], ["<1@host>", "<2@host>"]],
    [["<1@[127.0.0.1]>"], ["<1@[127.0.0.1]>"]],
    [["(<evil@host>) <1@host>"], ["<1@host>"]],
    [['"<evil@host>" <1@host>'], ["<1@host>"]],
    [["other@host <1@host>"], ["<1@host>"]],
    [["<1@ho(x)st>"], ["<1@host>"]],
    [["<1@host", "<2@host>"], ["<2@host>"]],
    [["(<1@host>"], []],
    [["<1@a@b> <nothing> <> <@> <a@>"], []],
    [["<1\u0000@host> <2\u202e@host>"], []],
    [[`<${"x".repeat(1_000)}@host>`], []],
    [[], []],
    [[""], []]
  ]
  it.each(cases)("%j", (values, expected) => {
    expect(messageIds(values, 20)).toEqual(expected)
  })

  it("are bounded: of 10,000 the first, in a header or in headers, and quickly", () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `<${index}@host>`)
    const started = performance.now()
    expect(messageIds([ids.join(" ")], 20)).toEqual(ids.slice(0, 20))
    expect(messageIds(ids, 20)).toEqual(ids.slice(0, 20))
    for (const hurt of ["<", ">", "(", '"', "\\", "<a@", "a@b ", " "])
      messageIds([hurt.repeat(5_000_000 / hurt.length)], 20)
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it("no id is one half of another", () => {
    // The length limit cuts inside this id.
    expect(messageIds([`${" ".repeat(19_990)}<1@host.example.org>`], 20)).toEqual([])
    expect(messageIds([`${" ".repeat(19_990)}1@host.example.org`], 20)).toEqual([])
  })

  it("whatever comes, ids of the one shape come out", () => {
    const pieces = fc.constantFrom(
      "<",
      ">",
      "(",
      ")",
      '"',
      "\\",
      "@",
      "a",
      " ",
      ",",
      "\u0000",
      "\r\n ",
      "é",
      "\ud800",
      "<1@host>"
    )
    fc.assert(
      fc.property(
        fc.array(
          fc.array(pieces, { maxLength: 30 }).map((list) => list.join("")),
          { maxLength: 4 }
        ),
        (values) => {
          for (const id of messageIds(values, 3)) expect(id).toMatch(/^<[^\s<>"\u0000]+@[^\s<>"\u0000]+>$/)
          expect(messageIds(values, 3).length).toBeLessThanOrEqual(3)
        }
      )
    )
  })
})
