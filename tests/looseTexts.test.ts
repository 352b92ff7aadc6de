import { describe, expect, it } from "vitest"
import { join } from "node:path"
import { looseTexts, looseTextsIn } from "#support/LooseTexts.ts"
import { readSourceTree } from "#support/SourceTree.ts"

/**
 * Files that may hold texts for people outside a catalogue, with the reason. A new entry needs a reason. Sentences that
 * an endpoint answers in the language of its parameter `lang` are in German and English only.
 */
const exceptions: Readonly<Record<string, string>> = {
  "console/call/Announce.ts": "spoken in the language of the caller, whatever the page has",
  "console/pages/bank/GermanProblems.ts": "translates English sentences of the bank daemon by their words",
  "console/pages/bank/Refusals.ts": "return codes of banks, by code",
  "console/pages/languages/Refusals.ts": "translates English problems of the API by their words",
  "console/pages/operations/services/StatusWords.ts": "translates words of systemd and Docker",
  "console/pages/telephony/Refusals.ts": "translates English problems of the API by their words",
  "console/pages/telephony/kinds/NumberPlan.ts": "names of country codes, sorted by language",
  "console/pages/wake-word/GermanSentences.ts": "translates English sentences of the wake-word daemon by their words",
  "core/gateway/FrontPage.ts": "technical page for operators, in English like the API documentation beside it",
  "core/http/DocsPage.ts": "documentation of the API, which is in English",
  "core/http/ExampleValues.ts": "values of fields in examples of the API, some of them in two languages",
  "core/words/DetectLanguage.ts": "words by which a language is recognised",
  "daemons/bank-fetcher/accounts/letter/LetterContent.ts": "letters whose wording banks expect, each in both languages",
  "daemons/dns-verifier/verification/instructions/": "instructions that the API answers by `lang`",
  "daemons/dns-verifier/verification/words/": "findings that the API answers by `lang`",
  "daemons/provisioning/catalog/migrations/0001_catalog.ts": "first rows of a table that operators change",
  "daemons/sip-config/routing/dry-run/SipOperator.ts": "an error of the command line",
  "daemons/status-checker/incidents/Commands.ts": "example of a command with a German message",
  "daemons/watchdog/monitoring/words/": "results of checks and words of other programs, stored in both languages"
}

/** Whether an exception covers a file. A path that ends with a slash stands for a folder. */
const covers = (exception: string, file: string): boolean =>
  exception.endsWith("/") ? file.startsWith(exception) : file === exception

/** Limit of the search. Unit: milliseconds. Reason: it parses two thousand files, 2 s of processor time. */
const patience = 120_000

it(
  "no text for people stands in code, and every exception is needed",
  () => {
    const all = looseTexts(readSourceTree(join(import.meta.dirname, "..")))
    const paths = Object.keys(exceptions)
    expect(all.filter(({ file }) => !paths.some((one) => covers(one, file)))).toEqual([])
    expect(paths.filter((one) => !all.some(({ file }) => covers(one, file)))).toEqual([])
  },
  patience
)

const found = (text: string, path = "daemons/a/A.ts") => looseTextsIn({ path, text }).map(({ message }) => message)

describe("a text in code is found", () => {
  it.each([
    [`const t = { en: { title: "Title" }, de: { title: "Titel" } }`, "English and German"],
    [`const t = { de: (n: number) => \`\${n} Seiten\`, en: (n: number) => \`\${n} pages\` }`, "English and German"],
    [`const t = catalogue({ en: { a: "First page" }, de: { a: "Erste Seite" } })`, "English and German"],
    [`say("Die Störung ist behoben")`, "German"],
    [`say(\`Der Dienst \${name} ist ausgefallen\`)`, "German"],
    [`h("p", null, "See the status page")`, "markup"],
    ["html(`<p>Sign in to continue</p>`)", "markup"]
  ])("%s", (text, message) => {
    expect(found(text).join()).toContain(message)
  })

  it.each([
    ["<p>Sign in to continue</p>", "markup"],
    ["<p>{name} was changed</p>", "markup"],
    [`<input placeholder="Your name" />`, "attribute placeholder"],
    [`<button aria-label={"Close"} />`, "attribute aria-label"],
    ["<p>{`Changed by ${name}`}</p>", "markup"]
  ])("in the console: %s", (text, message) => {
    expect(found(`const A = () => ${text}`, "console/pages/A.tsx").join()).toContain(message)
  })
})

it.each([
  [`const t = shippedTexts("a.b", { en: { title: "Title" }, de: { title: "Überschrift" } })`],
  [`const t = words({ en: { title: "Title" }, de: { title: "Überschrift" } })`],
  [`// Die Störung ist behoben\nconst a = 1`],
  [`const tags = { de: "de-DE", en: "en-GB" }`],
  [`const codes = { de: name, en: other }`],
  [`yield* Effect.logInfo("the page cannot be written")`],
  ["sql`select a from b where die and der is null`"]
])("is no text for people: %s", (text) => {
  expect(found(text)).toEqual([])
})
