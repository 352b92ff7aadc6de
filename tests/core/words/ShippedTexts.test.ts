import { assert, describe, it } from "@effect/vitest"
import { afterEach } from "vitest"
import { chooseLanguage, inEveryLanguage, languageOfAccount } from "#core/words/ChooseLanguage.ts"
import { declaredTexts, long, shippedTexts } from "#core/words/ShippedTexts.ts"
import {
  forgetAll,
  offeredLanguages,
  onTextChange,
  putLanguages,
  putTexts,
  textVersion
} from "#core/words/TextMemory.ts"

const words = shippedTexts("test.pages", {
  en: {
    title: "Title",
    to: "Go on to {host}.",
    wait: long(
      "Wait for {minutes, plural, one {# minute} other {# minutes}}",
      " at {host, select, a {A} other {{host}}}."
    ),
    group: { one: "One", list: ["First", "Second of {host}"] }
  },
  de: {
    title: "Titel",
    to: "Weiter zu {host}.",
    wait: "Warten: {minutes, plural, one {# Minute} other {# Minuten}}, {host, select, a {A} other {{host}}}.",
    group: { one: "Eins", list: ["Erstens", "Zweitens: {host}"] }
  }
})

const key = (name: string) => `server.test.pages.${name}`
const write = (locale: string, name: string, value: string | null) => putTexts([{ locale, key: key(name), value }])
const french = { code: "fr", label: "Français", removed: false }

afterEach(forgetAll)

describe("shippedTexts", () => {
  it("fills placeholders and plurals, in groups and lists too", () => {
    assert.strictEqual(words("en").title, "Title")
    assert.strictEqual(words("de").to({ host: "a.example" }), "Weiter zu a.example.")
    assert.strictEqual(words("en").wait({ minutes: 1, host: "a" }), "Wait for 1 minute at A.")
    assert.strictEqual(words("de").wait({ minutes: 2, host: "b" }), "Warten: 2 Minuten, b.")
    assert.strictEqual(words("de").group.one, "Eins")
    assert.strictEqual(words("en").group.list[1]({ host: "x" }), "Second of x")
    // @ts-expect-error: the placeholder is called host
    assert.strictEqual(words("en").to({ name: "x" }), "Go on to {host}.")
  })

  it("does not read values as messages", () => {
    assert.strictEqual(words("en").to({ host: "{host} # '{x}' <b>" }), "Go on to {host} # '{x}' <b>.")
  })

  it("registers every text by its key", () => {
    assert.deepStrictEqual(declaredTexts().get(key("group.list.1")), { en: "Second of {host}", de: "Zweitens: {host}" })
    assert.strictEqual(declaredTexts().get(key("wait"))?.en.includes("minutes} at "), false)
    assert.strictEqual(declaredTexts().get(key("wait"))?.en.includes("minutes}} at "), true)
  })

  it("shows what people wrote, at once, and the shipped text again", () => {
    assert.strictEqual(words("de").title, "Titel")
    write("de", "title", "Überschrift")
    assert.strictEqual(words("de").title, "Überschrift")
    assert.strictEqual(words("en").title, "Title")
    write("de", "title", null)
    assert.strictEqual(words("de").title, "Titel")
  })

  it("shows English where another language lacks a text, with what people wrote in English", () => {
    assert.strictEqual(words("fr").title, "Title")
    putLanguages([french])
    write("fr", "to", "Vers {host}, l'avenir")
    assert.strictEqual(words("fr").to({ host: "h" }), "Vers h, l'avenir")
    assert.strictEqual(words("fr").title, "Title")
    write("en", "title", "Heading")
    assert.strictEqual(words("fr").title, "Heading")
    assert.strictEqual(words("de").title, "Titel")
    putLanguages([{ ...french, removed: true }])
    assert.strictEqual(words("fr").to({ host: "h" }), "Go on to h.")
  })

  it("ignores a stored text that is no message or asks for other values", () => {
    write("de", "to", "Weiter zu {host")
    assert.strictEqual(words("de").to({ host: "h" }), "Weiter zu h.")
    write("de", "to", "Weiter zu {name}")
    assert.strictEqual(words("de").to({ host: "h" }), "Weiter zu h.")
    write("de", "title", "Titel {host}")
    assert.strictEqual(words("de").title, "Titel")
  })

  it("gives a language its own plural forms", () => {
    putLanguages([{ code: "pl", label: "Polski", removed: false }])
    write("pl", "wait", "{minutes, plural, one {# minuta} few {# minuty} many {# minut} other {# minuty}} {host}")
    assert.deepStrictEqual(
      [1, 3, 5].map((minutes) => words("pl").wait({ minutes, host: "x" })),
      ["1 minuta x", "3 minuty x", "5 minut x"]
    )
  })
})

describe("the offered languages", () => {
  it("are chosen by name, then by Accept-Language, then English", () => {
    assert.strictEqual(chooseLanguage("fr", "de"), "de")
    putLanguages([french, { code: "pt-BR", label: "Português", removed: false }])
    assert.deepStrictEqual(
      offeredLanguages().map(({ code }) => code),
      ["en", "de", "fr", "pt-BR"]
    )
    const table = [
      ["fr", "de", "fr"],
      ["xx", "de", "de"],
      [undefined, "fr-CA, de;q=0.9", "fr"],
      [undefined, "pt-br", "pt-BR"],
      // Another regional form is another language.
      [undefined, "pt-PT, de;q=0.5", "de"],
      [undefined, "fr;q=0, it", "en"],
      [undefined, "it;q=1, de;q=0.2, fr;q=0.4", "fr"],
      [undefined, ";;;,,,=", "en"],
      [undefined, undefined, "en"]
    ] as const
    for (const [lang, header, code] of table)
      assert.strictEqual(chooseLanguage(lang, header), code, `${lang} ${header}`)
    assert.strictEqual(languageOfAccount("fr_CH"), "fr")
    assert.strictEqual(languageOfAccount("it"), "en")
    assert.deepStrictEqual(Object.keys(inEveryLanguage((code) => code)).toSorted(), ["de", "en", "fr", "pt-BR"])
  })

  it("always have German and English, under the names that people gave them", () => {
    putLanguages([
      { code: "de", label: "Deutsch (Sie)", removed: false },
      { code: "en", label: "English", removed: true }
    ])
    assert.deepStrictEqual(offeredLanguages(), [
      { code: "en", label: "English" },
      { code: "de", label: "Deutsch (Sie)" }
    ])
  })

  it("count rows that arrive again as no change", () => {
    const calls: Array<number> = []
    const end = onTextChange(() => calls.push(textVersion()))
    putLanguages([french])
    write("fr", "title", "Titre")
    const version = textVersion()
    putLanguages([french])
    write("fr", "title", "Titre")
    write("de", "title", null)
    assert.strictEqual(textVersion(), version)
    end()
    assert.lengthOf(calls, 2)
  })
})
