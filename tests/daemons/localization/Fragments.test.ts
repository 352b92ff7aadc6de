import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { fragmentsOf } from "#daemons/localization/rebuilds/Fragments.ts"
import * as Formatted from "#core/words/Formatted.ts"
import { missingPlaceholders, readMessage, unknownPlaceholders } from "#core/words/Message.ts"
import { awkwardTexts, damages } from "./AwkwardTexts.ts"

const through = (text: string, locale: string, engine: (html: string) => string) =>
  Result.flatMap(fragmentsOf(text, locale), ({ html, join }) => join(html.map(engine)))

const formatted = (text: string, values: Formatted.Values, language = "en") =>
  Formatted.formatted(Result.getOrThrow(readMessage(text)), language, values)

const valuesFor = (count: number): Formatted.Values => ({
  name: "Anna",
  first: "A",
  last: "B",
  count,
  at: "today",
  folder: "Inbox",
  place: count,
  who: count === 1 ? "anna" : "carl",
  a: count,
  b: count + 1,
  name_1: "n1",
  x2: "x2",
  c: "c",
  d: "d",
  e: "e",
  f: "f",
  über: "ü"
})

describe("fragments of a message", () => {
  it("are whole sentences for each form, without placeholders", () => {
    const { html } = Result.getOrThrow(fragmentsOf("In {folder}: {n, plural, one {# file} other {# files}} left", "de"))
    assert.deepStrictEqual(html, [
      'In <x id="1"></x>: <x id="3"></x> file left',
      'In <x id="1"></x>: <x id="3"></x> files left'
    ])
  })

  it("are nothing where there is nothing to translate", () => {
    for (const text of ["{name}", "{a} – {b}: 5 %", "{n, plural, one {#} other {#}}"])
      assert.deepStrictEqual(Result.getOrThrow(fragmentsOf(text, "de")).html, [], text)
  })

  it("are refused with markup, also where as many signs as before come back", () => {
    const back = through("Less < more", "de", () => "Weniger < mehr")
    assert.deepStrictEqual(back, Result.fail("has markup"))
    assert.deepStrictEqual(
      through("Less < more", "de", () => "Weniger &lt; mehr"),
      Result.succeed("Weniger < mehr")
    )
  })

  it("get the forms of the target language", () => {
    const text = "{n, plural, one {# file} other {# files}}"
    const pl = Result.getOrThrow(through(text, "pl", (html) => html))
    for (const n of [1, 2, 5, 22]) assert.strictEqual(formatted(pl, { n }, "pl"), n === 1 ? "1 file" : `${n} files`)
    assert.match(pl, /few \{.*many \{.*other \{/)
    assert.strictEqual(Result.getOrThrow(through(text, "ja", (html) => html)), "{n, plural, other {# files}}")
  })

  it("come back as the same message from an engine that changes nothing", () => {
    for (const text of awkwardTexts)
      for (const count of [0, 1, 2, 5])
        assert.strictEqual(
          formatted(Result.getOrThrow(through(text, "en", (html) => html)), valuesFor(count)),
          formatted(text, valuesFor(count)),
          text
        )
  })

  it("refuse a message with too many forms", () => {
    const choice = (name: string) => `{${name}, plural, one {a} two {b} few {c} many {d} other {e}}`
    assert.isTrue(Result.isFailure(fragmentsOf(`${choice("a")} ${choice("b")}`, "de")))
  })
})

describe.each(Object.entries(damages))("200 awkward texts through an engine: %s", (name, damage) => {
  it("come back whole, or not at all", () => {
    assert.isAtLeast(awkwardTexts.length, 200)
    let whole = 0
    for (const text of awkwardTexts) {
      const result = through(text, "de", damage)
      if (Result.isFailure(result)) continue
      whole++
      const [source, translation] = [readMessage(text), readMessage(result.success)].map(Result.getOrThrow)
      assert.deepStrictEqual(missingPlaceholders(source!, translation!), [], text)
      assert.deepStrictEqual(unknownPlaceholders(source!, translation!), [], text)
      const shown = formatted(result.success, valuesFor(2), "de")
      for (const sign of "<>")
        assert.strictEqual(shown.split(sign).length, formatted(text, valuesFor(2), "de").split(sign).length, text)
      assert.strictEqual(shown.split("\n").length, text.split("\n").length, text)
    }
    // Engines that change no placeholder translate nearly all texts.
    if (["none", "translated", "selfClosing", "quoted", "trimmed", "numbered", "hash"].includes(name))
      assert.isAtLeast(whole, 180)
    // A text with nothing to translate needs no engine.
    if (name === "empty" || name === "control") assert.isAtMost(whole, 20)
  })
})

describe("any text", () => {
  it("comes back as it was from an engine that changes nothing", () => {
    const part = fc.oneof(
      fc.string({ maxLength: 8 }).map((text) => text.replace(/[{}\p{Cc}]/gu, "")),
      fc.constantFrom(
        "{name}",
        "'{'",
        "'}'",
        "''",
        "'",
        "#",
        "<b>",
        "&amp;",
        "{count, plural, one {# a'} other {'#' b}}"
      )
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.integer({ min: 0, max: 5 }), (parts, count) => {
        const text = parts.join("x ")
        if (Result.isFailure(readMessage(text)) || text.trim() === "") return
        const result = through(text, "en", (html) => html)
        if (Result.isFailure(result)) return
        assert.strictEqual(formatted(result.success, valuesFor(count)), formatted(text, valuesFor(count)))
      })
    )
  })
})
