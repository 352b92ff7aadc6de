import { assert, describe, it } from "@effect/vitest"
import { parseAst } from "vite"
import { callsIn, type Node } from "../../../console/texts/Extract.ts"
import { keyOf } from "../../../console/texts/TextsPlugin.ts"

const found = (code: string) =>
  callsIn(parseAst(code) as unknown as Node).map(({ parameters, texts }) => ({
    parameters,
    texts: Object.fromEntries(texts)
  }))

describe("callsIn", () => {
  it("finds strings, and functions that fill in their parameters", () => {
    const code = `
      const t = words({
        en: { title: "Texts", hours: { 0: "no longer", 24: "a day" }, count: (n) => \`\${n} files\`, long: "a " + "b" },
        de: { title: "Texte", hours: { 0: "nicht mehr", 24: "ein Tag" }, count: (m) => \`\${m} Dateien\`, long: "a c" }
      })
      const u = Language.words({ en: { say: (a, b) => a + "'" + b }, de: { say: (a, b) => \`\${b}: \${a}\` } })`
    assert.deepStrictEqual(found(code), [
      {
        texts: {
          title: { en: "Texts", de: "Texte" },
          "hours.0": { en: "no longer", de: "nicht mehr" },
          "hours.24": { en: "a day", de: "ein Tag" },
          count: { en: "{n} files", de: "{n} Dateien" },
          long: { en: "a b", de: "a c" }
        },
        parameters: { count: ["n"] }
      },
      { texts: { say: { en: "{a}''{b}", de: "{b}: {a}" } }, parameters: { say: ["a", "b"] } }
    ])
  })

  it("leaves what is more than text in the code", () => {
    const code = `words({
      en: { one: (n) => (n === 1 ? "one" : \`\${n}\`), two: \`\${other}\`, three: "{braces}", four: (n) => f(n), five: "", six: ({ a }) => "x", "a b": "c" },
      de: { one: (n) => "x", two: "x", three: "x", four: (n) => "x", five: "x", six: ({ a }) => "x", "a b": "c" }
    })`
    assert.deepStrictEqual(found(code), [{ texts: {}, parameters: {} }])
    assert.deepStrictEqual(found(`words(all); words({ en: {} }); other({ en: { a: "b" }, de: { a: "c" } })`), [])
    assert.deepStrictEqual(found(`words({ en: { a: "b" }, de: { a: "c" } }, "place")`), [])
  })
})

describe("keyOf", () => {
  it("is the path of the module", () => {
    assert.strictEqual(keyOf("pages/bank/transactions/Page.tsx"), "console.pages.bank.transactions.Page")
    assert.strictEqual(keyOf("pages/mail-domains/Dns.tsx"), "console.pages.mail-domains.Dns")
  })
})
