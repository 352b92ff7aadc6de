import { describe, expect, it } from "vitest"
import { languageFrom } from "#core/words/Language.ts"

describe("the language of an answer", () => {
  it.each([
    ["de", "en", "de"],
    ["en", "de", "en"],
    // An unsupported language counts as missing.
    ["fr", "de", "de"],
    ["DE", undefined, "en"],
    ["", "de", "de"],
    [null, undefined, "en"],
    [undefined, undefined, "en"],
    [undefined, "", "en"],
    [undefined, "fr, it", "en"],
    [undefined, "de_AT", "de"],
    [undefined, "den", "en"],
    [undefined, "de;Q=0.9, en;q=0.95", "en"],
    [undefined, "de-AT", "de"],
    [undefined, "fr, de;q=0.3, en;q=0.2", "de"],
    [undefined, "de;q=0.3, en-GB;q=0.8", "en"],
    [undefined, "de;q=0, en;q=0.1", "en"],
    [undefined, "de;q=0", "en"],
    [undefined, "DE ; q=1.0", "de"],
    [undefined, "*, de;q=nonsense", "de"],
    [undefined, `${"fr, ".repeat(200)}de`, "en"]
  ])("lang %s, Accept-Language %s: %s", (lang, accepted, expected) => {
    expect(languageFrom(lang, accepted)).toBe(expected)
  })
})
