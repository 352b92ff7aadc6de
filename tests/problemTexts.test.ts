import { assert, it } from "vitest"
import { join } from "node:path"
import "#daemons/Suite.ts"
import { body } from "#core/http/Problem.ts"
import { sentenceIn } from "#core/http/ProblemLanguage.ts"
import { problemSubject } from "#core/http/ProblemTexts.ts"
import { declaredTexts } from "#core/words/ShippedTexts.ts"
import { problemSentences } from "#support/ProblemSentences.ts"
import { readSourceTree } from "#support/SourceTree.ts"

/** Limit of the search. Unit: milliseconds. Reason: it parses two thousand files, 2 s of processor time. */
const patience = 120_000

const files = readSourceTree(join(import.meta.dirname, "..")).filter(({ path }) =>
  /^(?:core|daemons)\/.*\.ts$/.test(path)
)

const stated = [
  ...problemSentences(files),
  ...([400, 401, 403, 404, 405, 408, 413, 415, 429, 431, 500, 503, "banned"] as const).map((refusal) => ({
    file: "core/http/Problem.ts",
    sentence: body(refusal).title
  }))
]

it(
  "every title and detail of a problem is declared in German",
  () => {
    assert.isAbove(stated.length, 300)
    const missing = stated.filter(({ sentence }) => sentenceIn("de", sentence) === undefined)
    assert.deepStrictEqual(missing, [])
  },
  patience
)

it("no sentence is declared twice, and none is left that no problem states", () => {
  const sentences = new Set(stated.map(({ sentence }) => sentence))
  const declared = [...declaredTexts()].filter(([key]) => key.includes(problemSubject))
  const english = declared.map(([, { en }]) => en)
  assert.deepStrictEqual(
    english.filter((en, at) => english.indexOf(en) !== at),
    []
  )
  // Some sentences pass through a function before they become a problem, so their words are searched in all files.
  const texts = files.filter(({ path }) => !path.endsWith("/ProblemTexts.ts")).map(({ text }) => text)
  const unused = declared.filter(([, { en }]) => {
    const [longest = ""] = en.split(/[{]\w+[}]/).toSorted((a, b) => b.length - a.length)
    return !sentences.has(en) && !texts.some((text) => text.includes(longest.slice(0, 60).trim()))
  })
  assert.deepStrictEqual(
    unused.map(([key]) => key),
    []
  )
})
