/** Translations as CSV and XLIFF, out and in. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { readCsv, writeCsv } from "#daemons/localization/files/Csv.ts"
import type { FileEntry } from "#daemons/localization/files/Fields.ts"
import { readXliff, writeXliff } from "#daemons/localization/files/Xliff.ts"
import type { TextList } from "#daemons/localization/texts/Exports.ts"
import { adminOf, as, read, startLocalization } from "./LocalizationSuite.ts"

const row = (key: string, source: string, value: string | null): TextList.TextRow => ({
  key,
  source,
  value,
  state: value === null ? "missing" : "manual",
  overridden: false,
  auto_translated: false,
  source_hash: "",
  updated_at: new Date(0)
})

const all = async (entries: AsyncGenerator<FileEntry>) => {
  const found: Array<FileEntry> = []
  for await (const entry of entries) found.push(entry)
  return found
}

const awkward = [
  'He said "no", & left\n<b>now</b>',
  "=1+1",
  "'=1",
  "-5 % ; 3\ttabs",
  "@sum; äöü 日本語 😀",
  "{n, plural, one {# 'file'} other {# files}}",
  "ends with space "
]

describe.each([
  ["CSV", (rows: ReadonlyArray<TextList.TextRow>) => writeCsv(rows), readCsv],
  ["XLIFF", (rows: ReadonlyArray<TextList.TextRow>) => writeXliff("de", rows), readXliff]
] as const)("%s", (_, write, readFile) => {
  it("comes back as it was written", async () => {
    const rows = awkward.map((text, index) => row(`k${index}`, text, text))
    assert.deepStrictEqual(
      await all(readFile(write([...rows, row("none", "x", null)]))),
      rows.map(({ key, source, value }) => ({ key, source, value: value! }))
    )
  })

  it("comes back as it was written, for any text", async () => {
    // Line ends become line feeds in both formats, so texts have no carriage return.
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
      .map((one) => `x${one.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, "")}`)
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (texts) => {
        const rows = texts.map((one, index) => row(`k${index}`, one, one))
        assert.deepStrictEqual(
          await all(readFile(write(rows))),
          rows.map(({ key, source, value }) => ({ key, source, value: value! }))
        )
      }),
      { numRuns: 50 }
    )
  })
})

describe("writeCsv", () => {
  it("writes no cell that a spreadsheet computes", () => {
    for (const line of writeCsv(awkward.map((text) => row("=k", text, text)))
      .split("\r\n")
      .slice(1))
      assert.notMatch(line, /(^|,)"[=+\-@]/)
  })
})

describe("readXliff", () => {
  const failure = (file: string) =>
    all(readXliff(file)).then(
      () => "none",
      (error: Error) => error.message
    )

  it("reads version 2", async () => {
    const file = `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en" trgLang="de">
      <file id="f"><unit id="k"><segment><source>One</source><target>Eins</target></segment></unit></file></xliff>`
    assert.deepStrictEqual(await all(readXliff(file)), [{ key: "k", source: "One", value: "Eins" }])
  })

  it("refuses document types, other documents and endless nesting", async () => {
    assert.match(
      await failure(`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><xliff><file/></xliff>`),
      /document type/
    )
    assert.match(await failure("<html></html>"), /not xliff/)
    assert.match(await failure("<xliff>&unknown;</xliff>"), /entity|undefined/i)
    assert.match(await failure("<xliff><file>"), /unclosed|tag/i)
    assert.match(await failure("no xml"), /./)
    assert.match(await failure(`<xliff>${"<g>".repeat(1_000)}`), /nested/)
  })

  it("refuses a unit with inline elements or several segments, and reads the others", async () => {
    const file = `<xliff version="1.2"><file><body>
      <trans-unit id="a"><source>x</source><target>y <g id="1">z</g></target></trans-unit>
      <trans-unit id="b"><source>x</source><target>y</target><target>z</target></trans-unit>
      <trans-unit id="c"><source>x</source><target/></trans-unit>
      <trans-unit id="d"><source>x</source><target><![CDATA[<d>]]></target></trans-unit>
    </body></file></xliff>`
    assert.deepStrictEqual(await all(readXliff(file)), [
      { at: "a", problem: "has the element g in its target" },
      { at: "b", problem: "has several segments" },
      { key: "d", source: "x", value: "<d>" }
    ])
  })
})

it.live("exports and imports translations, and refuses single texts", () =>
  Effect.gen(function* () {
    const suite = yield* startLocalization()
    const admin = adminOf(suite)
    for (const key of ["a", "b", "c", "d"]) yield* admin.put("en", `f.${key}`, `Text ${key} {n}`)
    yield* admin.put("de", "f.a", "Wort a {n}")
    for (const [format, type] of [
      ["csv", "text/csv"],
      ["xliff", "application/xliff+xml"]
    ] as const) {
      const file = yield* admin.get(`/files/de?format=${format}`)
      assert.include(file.headers.get("content-type"), type)
      assert.match(file.headers.get("content-disposition")!, /^attachment; filename="texts-de\./)
      assert.include(file.text, "Wort a {n}")
      const same = yield* admin.send("POST", `/files/de/${format}`, file.text, { "content-type": type })
      assert.deepInclude(same.json, { changed: 0, unchanged: 1, refused: 0 })
    }
    const csv = [
      "key;translation;english",
      "f.a;Anderes a {n};Text a {n}",
      "f.b;Wort b {m};Text b {n}",
      "f.c;Wort c;Old text c",
      "f.d;;Text d {n}",
      "f.x;Wort;",
      'f.d;"open'
    ].join("\n")
    const result = yield* admin.send("POST", "/files/de/csv", csv, { "content-type": "text/csv" })
    assert.strictEqual(result.status, 200)
    assert.deepInclude(result.json, { changed: 1, unchanged: 0, refused: 4 })
    assert.deepStrictEqual(
      result.json.problems.map(({ message }: { message: string }) => message),
      [
        "has a quote that is not closed",
        "the English text does not have m",
        "the English text has changed since the export",
        "the key does not exist"
      ]
    )
    assert.strictEqual((yield* read(suite, "/texts/de/f.a")).json.value, "Anderes a {n}")
    const [change] = (yield* admin.get("/translations/de/f.a/history")).json.items
    assert.deepInclude(change, { kind: "imported", before: "Wort a {n}", after: "Anderes a {n}" })

    const post = (path: string, body: string, type: string) => admin.send("POST", path, body, { "content-type": type })
    assert.strictEqual((yield* post("/files/en/csv", "key,translation\nf.a,x", "text/csv")).status, 422)
    assert.strictEqual((yield* post("/files/fr/csv", "key,translation\nf.a,x", "text/csv")).status, 404)
    assert.strictEqual((yield* post("/files/de/xliff", "<html/>", "application/xliff+xml")).status, 422)
    assert.strictEqual((yield* post("/files/de/csv", "{}", "application/json")).status, 415)
    assert.deepInclude((yield* post("/files/de/csv", "name\nx", "text/csv")).json, { changed: 0, refused: 1 })
    const large = `key,translation\n${`f.a,"${"x".repeat(90)}"\n`.repeat(180_000)}`
    assert.strictEqual((yield* post("/files/de/csv", large, "text/csv")).status, 413)
    assert.strictEqual((yield* adminOf(suite, as(2)).get("/files/de?format=csv")).status, 403)
  }).pipe(Effect.scoped)
)
