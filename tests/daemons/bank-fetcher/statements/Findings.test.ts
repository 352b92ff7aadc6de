import { describe, expect, it } from "vitest"
import { germanIban, identification } from "#daemons/bank-fetcher/statements/AccountIban.ts"
import { chainFindings, type ChainLink, findingText, ownFindings } from "#daemons/bank-fetcher/statements/Findings.ts"
import { endOfDay, intraday, type Known } from "#daemons/bank-fetcher/statements/Repetition.ts"

const link = (number: number | null, day: string, opening: number, closing: number): ChainLink => ({
  id: `${day}/${number}`,
  number,
  page: null,
  currency: "EUR",
  opening,
  closing,
  day
})

const found = (...links: ReadonlyArray<ChainLink>) =>
  Object.fromEntries(Array.from(chainFindings(links), ([id, [finding]]) => [id, findingText(finding!)]))

describe("order of statements", () => {
  it.each([
    ["numbers and balances that follow", [link(1, "2026-01-05", 0, 10), link(2, "2026-01-06", 10, 5)], {}],
    [
      "a gap, in any order of arrival",
      [link(5, "2026-01-08", 7, 9), link(2, "2026-01-06", 0, 5)],
      { "2026-01-08/5": "Statements 3 to 4 are missing." }
    ],
    [
      "one that is missing",
      [link(2, "2026-01-06", 0, 5), link(4, "2026-01-08", 5, 9)],
      { "2026-01-08/4": "Statement 3 is missing." }
    ],
    ["a new year that begins with 1", [link(251, "2025-12-30", 0, 5), link(1, "2026-01-02", 5, 9)], {}],
    ["a bank that counts on in the new year", [link(251, "2025-12-30", 0, 5), link(252, "2026-01-02", 5, 9)], {}],
    [
      "a gap at the beginning of a year",
      [link(251, "2025-12-30", 0, 5), link(3, "2026-01-06", 5, 9)],
      { "2026-01-06/3": "Statements 1 to 2 are missing." }
    ],
    [
      "balances that do not follow each other",
      [link(null, "2026-01-05", 0, 1_000), link(null, "2026-01-06", 1_001, 5)],
      { "2026-01-06/null": "The opening balance is 10.01 EUR, but the statement before closed with 10.00 EUR." }
    ],
    [
      "two statements of a day without numbers, the second first",
      [link(null, "2026-01-06", 10, 5), link(null, "2026-01-06", 0, 10)],
      {}
    ]
  ] as const)("%s", (_, links, findings) => expect(found(...links)).toEqual(findings))
})

describe("contents of a statement", () => {
  const contents = {
    kind: "end_of_day",
    currency: "EUR",
    opening: 100,
    closing: 150,
    booked: 50,
    detailsDoNotSum: 0,
    detailsElsewhere: 0
  } as const
  it("are complete", () => expect(ownFindings(contents, "EUR")).toEqual([]))
  it("do not sum, miss details, and have another currency or account", () => {
    const odd = { ...contents, booked: 49, detailsDoNotSum: 2, detailsElsewhere: 1 }
    expect(ownFindings(odd, "USD").map(({ code }) => code)).toEqual([
      "currency_differs",
      "sum_differs",
      "details_do_not_sum",
      "details_elsewhere"
    ])
    expect(ownFindings(contents, undefined).map(({ code }) => code)).toEqual(["unknown_account"])
    expect(ownFindings({ ...odd, kind: "intraday" }, "EUR").map(({ code }) => code)).not.toContain("sum_differs")
  })
})

const stored = (parts: Partial<Known> = {}): Known => ({
  id: "old",
  file_id: "file-1",
  format: "camt.053.001.08",
  number: 7,
  page: null,
  opening: 0,
  closing: 10,
  day: "2026-01-06",
  created: "2026-01-06T20:00:00Z",
  fingerprint: "a",
  ...parts
})
const next = (parts: Partial<Known> = {}) => stored({ id: "new", file_id: "file-2", ...parts })

describe("repeated statements", () => {
  it.each([
    ["the same contents", next(), [stored()], { _tag: "Known", by: "old" }],
    [
      "a correction with the same number",
      next({ fingerprint: "b", closing: 11 }),
      [stored()],
      { _tag: "Replaces", old: ["old"], again: true }
    ],
    ["the same number of another day", next({ day: "2026-01-07" }), [stored()], { _tag: "New", again: true }],
    [
      "a second part of the day with the same number",
      next({ opening: 10, closing: 15, fingerprint: "b" }),
      [stored()],
      { _tag: "New", again: true }
    ],
    [
      "another page",
      next({ page: 2, opening: 10, fingerprint: "b" }),
      [stored({ page: 1 })],
      { _tag: "New", again: false }
    ],
    [
      "MT940 after camt.053 of the day",
      next({ format: "MT940", number: 3, fingerprint: "b" }),
      [stored()],
      { _tag: "Known", by: "old" }
    ],
    [
      "camt.053 after MT940 of the day",
      next({ fingerprint: "b" }),
      [stored({ format: "MT940", number: 3 })],
      { _tag: "Replaces", old: ["old"], again: false }
    ]
  ] as const)("%s", (_, one, others, expected) => expect(endOfDay(one, others)).toEqual(expected))

  const later = { created: "2026-01-06T21:00:00Z", fingerprint: "b" }
  it.each([
    ["a later report", next(later), [stored()], undefined, { _tag: "Replaces", old: ["old"], again: false }],
    ["a report that comes late", next(), [stored(later)], undefined, { _tag: "Outdated", by: "old" }],
    ["a report of a day with a statement", next(later), [stored()], "day", { _tag: "Outdated", by: "day" }],
    [
      "a second report in a file",
      next({ ...later, file_id: "file-1" }),
      [stored()],
      undefined,
      { _tag: "New", again: false }
    ],
    ["a further page", next({ ...later, page: 2 }), [stored({ page: 1 })], undefined, { _tag: "New", again: false }]
  ] as const)("%s", (_, one, others, covering, expected) => expect(intraday(one, others, covering)).toEqual(expected))
})

describe("identification of an account", () => {
  it.each([
    [{ iban: "de89370400440532013000" }, "DE89370400440532013000"],
    [{ other: "37040044/0532013000" }, "DE89370400440532013000"],
    [{ other: "37040044/532013000" }, "DE89370400440532013000"],
    [{ other: "12345/678" }, "12345/678"],
    [{}, undefined]
  ])("%j is %s", (account, expected) => expect(identification(account)).toBe(expected))
  it("has check digits", () => expect(germanIban("50010517/0648489890")).toBe("DE12500105170648489890"))
})
