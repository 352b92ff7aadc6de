import { assert, it } from "vitest"
import { join } from "node:path"
import "#daemons/Suite.ts"
import { Cause, Exit, Schema } from "effect"
import { body, fieldProblems } from "#core/http/Problem.ts"
import { foundAmong, sentenceIn, sentencesAmong, type Sentences, sentenceSubjects } from "#core/words/Sentences.ts"
import { declaredTexts, serverKeys } from "#core/words/ShippedTexts.ts"
import { fieldSentences, healthSentences, problemSentences, resultSentences } from "#support/ProblemSentences.ts"
import { readSourceTree } from "#support/SourceTree.ts"

/** Faults that the schema library states. */
const ofLibrary = /^(?:Expected |Missing key|Forbidden operation)/

/** Limit of the search. Unit: milliseconds. Reason: it parses two thousand files, 2 s of processor time. */
const patience = 120_000

const sources = readSourceTree(join(import.meta.dirname, "..")).filter(({ path }) =>
  /^(?:core|daemons|protocols)\/.*\.ts$/.test(path)
)
const files = sources.filter(({ path }) => !path.startsWith("protocols/"))

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

/**
 * Files whose faults reach only the command line or a log, or are about files that an operator writes; and catalogues
 * with texts of several lines.
 */
const notAnswered: ReadonlyArray<string> = [
  "core/cli/",
  "core/http/FieldTexts.ts",
  "daemons/bank-fetcher/invoices/imports/",
  "daemons/comm-dispatcher/ProblemTexts.ts",
  "daemons/status-checker/ProblemTexts.ts",
  "daemons/status-checker/imports/",
  "daemons/status-checker/status-files/FileDecoder.ts",
  "daemons/status-checker/status-files/ListInFile.ts"
]

const faults = () => fieldSentences(sources.filter(({ path }) => !notAnswered.some((one) => path.startsWith(one))))

const results = () =>
  resultSentences(sources.filter(({ path }) => /^(?:core\/probes|daemons\/status-checker\/checks)\//.test(path)))

it(
  "every fault of a field is declared in German",
  () => {
    assert.isAbove(faults().length, 200)
    const missing = faults().filter(({ sentence }) => sentenceIn("de", sentence) === undefined)
    assert.deepStrictEqual(missing, [])
  },
  patience
)

it("every result of a probe of the status page is declared in German", () => {
  assert.isAbove(results().length, 25)
  assert.deepStrictEqual(
    results().filter(({ sentence }) => sentenceIn("de", sentence) === undefined),
    []
  )
})

it(
  "every sentence is declared by core or by the daemon that states it, because a process loads no others",
  () => {
    const declared = [...declaredTexts()]
    const ofCore = declared.filter(([key]) => key.startsWith(`${serverKeys}core.`))
    const byDaemon = new Map<string, Sentences>()
    const declaredFor = (daemon: string) => {
      const own = declared.filter(([key]) => key.startsWith(`${serverKeys}${daemon}.`))
      const found = byDaemon.get(daemon) ?? sentencesAmong(new Map([...ofCore, ...own]))
      byDaemon.set(daemon, found)
      return found
    }
    const all = [...stated, ...faults(), ...healthSentences(files).stated]
    const ofDaemons = all.filter(({ file }) => !file.startsWith("protocols/"))
    const missing = ofDaemons.filter(({ file, sentence }) => {
      const daemon = file.startsWith("core/") ? "core" : file.split("/")[1]!
      return sentenceIn("de", sentence) !== undefined && foundAmong(declaredFor(daemon), sentence) === undefined
    })
    assert.deepStrictEqual(missing, [])
  },
  patience
)

/** Ways in which a schema can refuse a value; each is a kind of check that the API uses. */
const refused: ReadonlyArray<readonly [Schema.Top, unknown]> = [
  [Schema.String, 1],
  [Schema.Finite, "a"],
  [Schema.Int, 1.5],
  [Schema.Boolean, 1],
  [Schema.Array(Schema.String), "a"],
  [Schema.Struct({ a: Schema.String }), "a"],
  [Schema.Struct({ a: Schema.String }), {}],
  [Schema.Literals(["a", "b"]), "c"],
  [Schema.Literals([1, 2]), 3],
  [Schema.NullOr(Schema.String), 1],
  [Schema.String.check(Schema.isMinLength(1)), ""],
  [Schema.String.check(Schema.isMaxLength(2)), "abc"],
  [Schema.String.check(Schema.isPattern(/^a$/)), "b"],
  [Schema.String.check(Schema.isUUID()), "b"],
  [Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 })), 3],
  [Schema.Int.check(Schema.isGreaterThan(0)), 0],
  [Schema.Array(Schema.Int).check(Schema.isMaxLength(1)), [1, 2]],
  [Schema.FiniteFromString, "a"]
]

it.each(refused.map(([schema, value]) => [schema, value] as const))(
  "a check of the schema library: %#",
  (schema, value) => {
    const exit = Schema.decodeUnknownExit(schema as Schema.Codec<unknown>)(value)
    if (Exit.isSuccess(exit)) throw new Error("the value is valid")
    const error = Cause.squash(exit.cause)
    if (!Schema.isSchemaError(error)) throw error
    for (const { message } of fieldProblems("payload", error.issue)) {
      assert.notStrictEqual(sentenceIn("de", message), undefined, message)
    }
  }
)

it("no sentence is declared twice, and none is left that no problem states", () => {
  const sentences = new Set(stated.map(({ sentence }) => sentence))
  const declared = [...declaredTexts()].filter(([key]) => sentenceSubjects.some((one) => key.includes(one)))
  const english = declared.map(([, { en }]) => en)
  assert.deepStrictEqual(
    english.filter((en, at) => english.indexOf(en) !== at),
    []
  )
  // Some sentences pass through a function before they become a problem, so their words are searched in all files.
  const texts = sources.filter(({ path }) => !/\/(?:Problem|Field)Texts\.ts$/.test(path)).map(({ text }) => text)
  const unused = declared.filter(([, { en }]) => {
    if (ofLibrary.test(en)) return false
    const [longest = ""] = en.split(/[{]\w+[}]/).toSorted((a, b) => b.length - a.length)
    const written = JSON.stringify(longest.slice(0, 60).trim()).slice(1, -1)
    return (
      !sentences.has(en) && !texts.some((text) => text.includes(longest.slice(0, 60).trim()) || text.includes(written))
    )
  })
  assert.deepStrictEqual(
    unused.map(([key]) => key),
    []
  )
})
