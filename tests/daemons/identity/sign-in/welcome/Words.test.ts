import { expect, it } from "@effect/vitest"
import { rules } from "#core/password/PasswordRules.ts"
import { afterEach } from "vitest"
import { declaredTexts } from "#core/words/ShippedTexts.ts"
import { forgetAll, putTexts } from "#core/words/TextMemory.ts"
import { render } from "#daemons/identity/sign-in/welcome/Page.ts"
import { wordsFor } from "#daemons/identity/sign-in/welcome/Words.ts"

it("the requested language is used", () => {
  const asked: ReadonlyArray<readonly [string | undefined, string]> = [
    [undefined, "en"],
    ["de", "de"],
    ["de-CH,de;q=0.9,en;q=0.8", "de"],
    ["en-GB,en;q=0.9,de;q=0.8", "en"],
    ["fr;q=1,DE;q=0.5,en;q=0.4", "de"],
    ["en;q=0.3, de;q=0.7", "de"],
    ["de;q=0", "en"],
    ["*", "en"],
    // A malformed weight counts as none, so the language counts as asked for.
    ["de;q=rubbish,,;;", "de"]
  ]
  for (const [header, lang] of asked) expect([header, wordsFor(header).lang]).toEqual([header, lang])
})

it("both languages have all texts", () => {
  const [german, english] = [wordsFor("de"), wordsFor("en")]
  expect(Object.keys(german)).toEqual(Object.keys(english))
  for (const key of Object.keys(german) as ReadonlyArray<keyof typeof german>)
    expect([key, german[key]]).not.toEqual([key, english[key]])
  for (const rule of Object.keys(rules) as ReadonlyArray<keyof typeof rules>)
    expect([rule, german.broken[rule]]).not.toEqual([rule, english.broken[rule]])
  // The page escapes them too, because people can write others.
  expect(
    [german, english]
      .flatMap((words) => [...Object.values({ ...words, broken: "" }).flat(), ...Object.values(words.broken)])
      .filter((text) => /[<>&"]/.test(text))
  ).toEqual([])
})

afterEach(forgetAll)

it("the page escapes whatever people write", () => {
  const keys = [...declaredTexts().keys()].filter((key) => key.startsWith("server.identity.welcome."))
  putTexts(keys.map((key) => ({ locale: "de", key, value: '"><script>alert(1)</script>' })))
  const html = render(wordsFor("de"))
  expect(html.split("&#34;&#62;&#60;script&#62;").length - 1).toBeGreaterThanOrEqual(keys.length)
  expect(html).not.toContain("<script>alert")
})
