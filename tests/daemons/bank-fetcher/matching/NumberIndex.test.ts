import { describe, expect, it } from "vitest"
import type { OpenInvoice } from "#daemons/bank-fetcher/matching/Model.ts"
import { make } from "#daemons/bank-fetcher/matching/NumberIndex.ts"

const invoice = (number: string): OpenInvoice => ({
  id: number,
  number,
  customerId: null,
  open: 100,
  currency: "EUR",
  issuedOn: "2026-01-01",
  dueOn: "2026-01-15",
  discount: null
})
const index = (...numbers: ReadonlyArray<string>) => make(numbers.map(invoice))
const names = (found: ReturnType<ReturnType<typeof make>["find"]>) =>
  found.map(({ invoices, isSure }) => `${invoices.map(({ number }) => number).join("|")}${isSure ? "" : "?"}`)

describe("an invoice number in a text", () => {
  it.each([
    ["Rechnung RE-2026-0042", ["RE-2026-0042"]],
    ["re 2026 0042", ["RE-2026-0042"]],
    ["RE20260042", ["RE-2026-0042"]],
    ["RechnungRE-2026-0042vom Mai", ["RE-2026-0042"]],
    ["RE-2026-00 42", ["RE-2026-0042"]],
    ["RE-2026-0042, RE-2026-0043", ["RE-2026-0042", "RE-2026-0043"]],
    ["RE-2026-0042 RE-2026-0042", ["RE-2026-0042"]],
    ["RE-2026-00421", []],
    ["RE-2026-004", []],
    ["12026-0042", []]
  ])("%s names %j", (text, expected) => {
    expect(names(index("RE-2026-0042", "RE-2026-0043").find(text))).toEqual(expected)
  })

  it.each([
    ["RE-1 and more", ["RE-1"]],
    ["RE-10", ["RE-10"]],
    ["RE-1 0", ["RE-10|RE-1"]],
    ["STORE-1", []]
  ])("%s names %j where numbers are short", (text, expected) => {
    expect(names(index("RE-1", "RE-10").find(text))).toEqual(expected)
  })

  it("needs an announcing word for a few digits", () => {
    const digits = index("4711", "202600042")
    expect(names(digits.find("customer 4711"))).toEqual(["4711?"])
    expect(names(digits.find("Rechnung Nr. 4711"))).toEqual(["4711"])
    expect(names(digits.find("202600042"))).toEqual(["202600042"])
  })

  it("knows umlauts and numbers that differ in separators only", () => {
    expect(names(index("MÜ-7-1", "MUE-71").find("mue 71"))).toEqual(["MÜ-7-1|MUE-71"])
  })

  it("ends early in a text that is a list", () => {
    const many = Array.from({ length: 100 }, (_, at) => `RE-${1_000 + at}`)
    expect(index(...many).find(many.join(" "))).toHaveLength(32)
    expect(index("RE-2026-0042").find(`${"x ".repeat(5_000)}RE-2026-0042`)).toEqual([])
  })
})

const near = (text: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  index("RE-2026-0042").near(text, (position) => found.push(position))
  return found
}

describe("a damaged number", () => {
  it.each(["RE-2026-0043", "RE-2026-0024", "RE-2026-042", "RE-2026-00042", "re 2026 9042"])("%s is near", (text) => {
    expect(near(text)).toEqual([0])
  })

  it.each(["RE-2026-0033", "RE-2026-0042", "IN-2026-0043", "", "2026"])("%s is not", (text) => {
    expect(near(text)).toEqual([])
  })
})
