/** vCards of other address books, and hostile ones. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { setImmediate } from "node:timers/promises"
import { type ContactFields, links } from "#daemons/mail-watcher/people/contacts/ContactFields.ts"
import { read, readAll, split, write } from "#daemons/mail-watcher/people/contacts/VCards.ts"

const card = (...lines: ReadonlyArray<string>) => `BEGIN:VCARD\r\n${lines.join("\r\n")}\r\nEND:VCARD\r\n`
const only = (text: string) => {
  const cards = split(text)
  assert.strictEqual(cards.length, 1)
  return read(cards[0]!)
}

describe("vCards", () => {
  it.live("are read one after the other, with time for other work between two", () =>
    Effect.gen(function* () {
      const cards = split(
        Array.from({ length: 100 }, (_, n) => card("VERSION:4.0", `FN:Person ${n}`)).join("") + card()
      )
      let [turns, isOver] = [0, false]
      const turning = (async () => {
        for (; !isOver; turns++) await setImmediate()
      })()
      const contacts = yield* readAll(cards)
      isOver = true
      yield* Effect.promise(() => turning)
      assert.deepStrictEqual(
        contacts.map(({ name }) => name),
        Array.from({ length: 100 }, (_, n) => `Person ${n}`)
      )
      assert.isAbove(turns, 99)
    })
  )

  it("of phones and webmail can be read", () =>
    assert.deepStrictEqual(
      only(
        card(
          "VERSION:3.0",
          "PRODID:-//A//B//EN",
          "N:Müller;Änne;;Dr.;",
          "FN:Dr. Änne M\u00fcller",
          "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ",
          " SkZJRgABAQAA",
          "ORG:Firm\\, Ltd;Sales",
          "item1.EMAIL;type=INTERNET;type=pref:Anne@b.example",
          "EMAIL:nobody",
          "TEL;type=CELL;type=VOICE:+49 170 12",
          " 34",
          "item2.URL;type=pref:https\\://a.example/x",
          "URL:javascript:alert(1)",
          "IMPP;X-SERVICE-TYPE=T:https://t.me/anne",
          "NOTE:two\\nlines\\, more",
          "BDAY:1990-01-01"
        )
      ),
      {
        name: "Dr. Änne Müller",
        company: "Firm, Ltd, Sales",
        emails: ["anne@b.example"],
        phones: ["+49 170 1234"],
        websites: ["https://a.example/x"],
        messenger: "https://t.me/anne",
        chat_app: null,
        note: "two\nlines, more"
      }
    ))

  it("of 4.0 are read, and named by what they have", () => {
    assert.deepInclude(
      only(card("VERSION:4.0", "FN:", "N:M;Ann;;;", "TEL;VALUE=uri:tel:+49-170-1", "EMAIL:mailto:a@b.example"))!,
      { name: "Ann M", phones: ["+49-170-1"], emails: ["a@b.example"] }
    )
    assert.deepInclude(only(card("VERSION:4.0", "EMAIL:a@b.example"))!, { name: "a@b.example" })
    assert.strictEqual(only(card("VERSION:4.0", "N:Doe;John;Paul;Dr.;Jr."))!.name, "Dr. John Paul Doe Jr.")
    assert.strictEqual(only(card("VERSION:4.0", "BDAY:1990")), undefined)
  })

  it("that are broken or old are skipped", () => {
    const cards = split(
      `${card("VERSION:3.0", "FN:One")}${card("VERSION:3.0", "no colon")}${card("VERSION:2.1", "FN:Old")}BEGIN:VCARD\nVERSION:4.0\nFN:Open\n${card("VERSION:4.0", "FN:Last")}`
    )
    assert.deepStrictEqual(
      cards.map((text) => read(text)?.name),
      ["One", undefined, undefined, "Last"]
    )
    assert.deepStrictEqual(
      [split("").length, split("BEGIN:VCARD\n".repeat(1000)).length, split("\ufeffbegin:vcard\nEND:VCARD").length],
      [0, 0, 1]
    )
    assert.strictEqual(read(`VERSION:4.0\r\nFN:x\r\nNOTE:${"x".repeat(70_000)}`), undefined)
  })

  it("never break the parser", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(
              "FN:",
              "N:;;",
              "ORG",
              "TEL;VALUE=uri:",
              'NOTE;ENCODING="',
              "X:",
              "BEGIN:VEVENT",
              "END:VEVENT",
              "\\",
              ";",
              ":",
              ",",
              " ",
              "EMAIL;TYPE=:a@b.c",
              "BDAY:--",
              "REV:x"
            ),
            fc.string()
          ),
          { maxLength: 12 }
        ),
        (lines) => {
          const found = read(`VERSION:4.0\r\n${lines.join("\r\n")}`)
          if (found !== undefined)
            assert.isTrue(found.name.length > 0 && found.name.length <= 200 && found.note.length <= 10_000)
        }
      ),
      { numRuns: 1000 }
    ))

  const text = (maximum: number) =>
    fc.string({ maxLength: maximum, unit: "grapheme" }).map((value) =>
      value
        .toWellFormed()
        .replace(/[\p{Cc}\s]+/gu, " ")
        .trim()
    )
  const contact: fc.Arbitrary<ContactFields> = fc
    .record({
      name: text(100).filter((name) => name !== "" && name.length <= 200),
      company: text(50).filter((name) => name.length <= 200),
      emails: fc.uniqueArray(fc.constantFrom("a@b.example", "ü;,@b.example", "x'y@xn--mller-kva.example")),
      phones: fc.uniqueArray(fc.constantFrom("+49 170", "(030) 1")),
      websites: fc.uniqueArray(fc.constantFrom("https://a.example/", "https://a.example/?a=1,2;3\\n")),
      messenger: fc.constantFrom(null, "anne_m", "https://t.me/anne"),
      chat_app: fc.constantFrom(null, "+49170"),
      note: fc.array(text(80), { maxLength: 4 }).map((lines) => lines.join("\n"))
    })
    .map((fields) => ({
      ...fields,
      emails: fields.emails.flatMap((value) => links.emails(value) ?? []),
      websites: fields.websites.flatMap((value) => links.websites(value) ?? [])
    }))

  it("round-trip", () =>
    fc.assert(
      fc.property(contact, (given) => assert.deepStrictEqual(only(write(given)), given)),
      { numRuns: 500 }
    ))
})
