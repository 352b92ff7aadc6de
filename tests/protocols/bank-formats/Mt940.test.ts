import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { BankFormatsError } from "#protocols/bank-formats/BankFormatsError.ts"
import { detect } from "#protocols/bank-formats/Detect.ts"
import { parseGermanDetails } from "#protocols/bank-formats/GermanDetails.ts"
import { parseMt } from "#protocols/bank-formats/Mt940.ts"
import { mt940 } from "./samples.ts"

const read = (text: string) => Result.getOrThrow(parseMt(Buffer.from(text)))
const reason = <A>(result: Result.Result<A, BankFormatsError>) =>
  Result.isFailure(result) ? result.failure.reason._tag : "success"
const eur = (minor: bigint) => ({ minor, currency: "EUR" })
const entry = (line: string) => read(mt940.replace(/:61:.*(\r\n\/OCMT.*)?\r\n/, `:61:${line}\r\n`))[0]!.entries[0]!

describe("MT940", () => {
  it("is read with its German details", () => {
    const [first, ...rest] = read(mt940)
    expect(rest).toEqual([])
    expect(first!.statement).toEqual({
      kind: "EndOfDay",
      format: "MT940",
      id: "STARTUMSE",
      number: 7,
      page: 1,
      account: { other: "37040044/0532013000", currency: "EUR" },
      balances: [
        { code: "OPBD", intermediate: false, amount: eur(100_000n), date: "2026-01-05" },
        { code: "CLBD", intermediate: false, amount: eur(124_050n), date: "2026-01-06" },
        { code: "CLAV", intermediate: false, amount: eur(124_050n), date: "2026-01-06" }
      ]
    })
    expect(first!.entries[0]).toEqual({
      amount: eur(25_050n),
      reversal: false,
      status: "Booked",
      bookingDate: "2026-01-06",
      valueDate: "2026-01-06",
      bankReference: "BANKREF1",
      code: { swift: "NTRF", gvc: "166" },
      info: "/OCMT/EUR250,50/",
      transactions: [
        {
          amount: eur(25_050n),
          endToEndId: "RE-2026-0042",
          counterparty: { name: "Mustermann und Soehne", iban: "DE02120300000000202051", bic: "COBADEFFXXX" },
          remittance: {
            lines: ["EREF+RE-2026-0042", "SVWZ+Rechnung vom 5.1.? ", "Nr. RE-2026-0042 Danke schö", "n"],
            text: "Rechnung vom 5.1.? Nr. RE-2026-0042 Danke schön",
            references: [],
            documents: []
          },
          code: { swift: "NTRF", gvc: "166" },
          info: "GUTSCHRIFT"
        }
      ]
    })
    expect(first!.entries[1]).toMatchObject({
      amount: eur(-1_000n),
      reversal: true,
      valueDate: "2025-12-31",
      bookingDate: "2026-01-02"
    })
  })

  it.each([
    ["260106C1,00NTRFX", 100n, false],
    ["260106D1,00NTRFX", -100n, false],
    ["260106RC1,00NTRFX", -100n, true],
    ["260106RD1,00NTRFX", 100n, true],
    ["260106CR1,00NTRFX", 100n, false],
    ["260106DR1,NTRFX", -100n, false],
    ["260106RDR1,5NTRFX", 150n, true],
    ["260106RCR1,05NTRFX", -105n, true]
  ])("reads the mark of %s", (line, minor, reversal) => {
    expect(entry(line)).toMatchObject({ amount: eur(minor), reversal })
  })

  it.each([
    ["2601010102D1,NTRFX", "2026-01-02"],
    ["2512310102D1,NTRFX", "2026-01-02"],
    ["2601021231D1,NTRFX", "2025-12-31"],
    ["260106D1,NTRFX", "2026-01-06"]
  ])("finds the year of the entry date of %s", (line, bookingDate) => {
    expect(entry(line).bookingDate).toBe(bookingDate)
  })

  it("reads Windows-1252 and SWIFT blocks, and several messages", () => {
    const blocks = `{1:F01COBADEFFXXXX0000000000}{2:I940COBADEFFXXXXN}{4:\r\n${mt940.replace("\r\n-\r\n", "\r\n-}\r\n")}`
    expect(Result.getOrThrow(parseMt(Buffer.from(blocks, "latin1")))).toEqual(read(mt940))
    expect(read(mt940 + mt940)).toHaveLength(2)
    expect(read(mt940.replaceAll("\r\n", "\n"))).toEqual(read(mt940))
  })

  it("keeps a line of a text that looks like a field of another message", () => {
    const text = mt940.replace(/:86:109[^\r]*/, ":86:Text\r\n:12:34 Uhr")
    expect(read(text)[0]!.entries[1]!.transactions[0]!.remittance.text).toBe("Text :12:34 Uhr")
  })

  it("finds an IBAN and its BIC", () => {
    const account = (text: string) => read(mt940.replace("37040044/0532013000EUR", text))[0]!.statement.account
    const iban = "DE89370400440532013000"
    expect(account(iban)).toEqual({ iban, currency: "EUR" })
    expect(account(`${iban}EUR`)).toEqual({ iban, currency: "EUR" })
    expect(account(`COBADEFFXXX/${iban}`)).toEqual({ iban, currency: "EUR", bic: "COBADEFFXXX" })
    expect(account("COBADEFFXXX/DE89370400440532013001")).toMatchObject({ other: "COBADEFFXXX/DE89370400440532013001" })
  })
})

describe("MT942", () => {
  it("is read without balances", () => {
    const text =
      ":20:X\r\n:25:37040044/1\r\n:28C:1\r\n:34F:EURD0,\r\n:34F:EURC0,\r\n:13D:2601061030+0100\r\n:61:260106EC2,NTRFNONREF\r\n:86:free text\r\n:90D:0EUR0,\r\n:90C:1EUR2,\r\n-\r\n"
    expect(read(text)).toMatchObject([
      {
        statement: {
          kind: "Intraday",
          format: "MT942",
          createdAt: "2026-01-06T10:30:00+01:00",
          balances: [],
          number: 1
        },
        entries: [{ amount: eur(200n), status: "Pending", transactions: [{ remittance: { text: "free text" } }] }]
      }
    ])
  })
})

describe("the German field :86:", () => {
  const parse = (text: string) => parseGermanDetails(text.split("\n"))

  it("joins lines that end inside a number", () => {
    expect(parse("166?00A?20a?2\n1b?\n22c").lines).toEqual(["a", "b", "c"])
  })

  it("uses the separator that follows the code", () => {
    expect(parse("166+00A+20a+21b").lines).toEqual(["a", "b"])
  })

  it("keeps a separator with a number that is unknown or too low", () => {
    expect(parse("166?20what?45?21and ?20 more?99").lines).toEqual(["what?45", "and ?20 more?99"])
  })

  it("reads tags cut by lines, and other marks only at the start of a line", () => {
    expect(parse("166?20EREF+A1 SV?21WZ+text KREF-x?22MREF: m1")).toMatchObject({
      tags: { EREF: "A1", SVWZ: "text KREF-x", MREF: "m1" },
      text: "text KREF-x"
    })
  })

  it("takes a text without structure as it is", () => {
    for (const text of ["Miete Januar", "999Text", "12?20x", ""])
      expect(parse(text)).toEqual({ lines: [text], text, tags: {} })
  })

  it("joins the further purpose lines", () => {
    expect(parse("166?20a?29b?30X?32N?60c?63d")).toMatchObject({
      lines: ["a", "b", "c", "d"],
      text: "abcd",
      name: "N",
      bic: "X"
    })
  })
})

describe("hostile MT files", () => {
  it.each([
    ["nothing", "", "Malformed"],
    ["text in front", `Hello\r\n${mt940}`, "Malformed"],
    ["no account", mt940.replace(/:25:.*\r\n/, ""), "Malformed"],
    ["no balance", mt940.replace(/:62F:.*\r\n/, ""), "Malformed"],
    ["a broken entry", mt940.replace("CR250,50", "X250,50"), "Malformed"],
    ["an amount with three decimals", mt940.replace("CR250,50", "CR250,501"), "BadAmount"],
    ["a day that does not exist", mt940.replace(":61:2601060106", ":61:2602300106"), "BadDate"],
    ["an endless field", `${mt940.slice(0, -3)}:86:${"x\r\n".repeat(1_000)}`, "TooLarge"]
  ])("%s is refused", (_, text, expected) => {
    expect(reason(parseMt(Buffer.from(text)))).toBe(expected)
  })

  it("changed anywhere never throw", () => {
    fc.assert(
      fc.property(fc.nat(mt940.length), fc.nat(20), fc.string({ maxLength: 5 }), (at, cut, put) => {
        reason(parseMt(Buffer.from(mt940.slice(0, at) + put + mt940.slice(at + cut))))
      }),
      { numRuns: 300 }
    )
  })
})

it("formats are told by the first bytes", () => {
  const of = (text: string) => {
    const found = detect(Buffer.from(text, "latin1"))
    return Result.isSuccess(found) ? found.success : found.failure.reason._tag
  }
  expect([
    of("PK\u0003\u0004"),
    of("\u00ef\u00bb\u00bf<?xml"),
    of("\r\n:20:X"),
    of("{1:F01"),
    of("%PDF-1.7"),
    of("")
  ]).toEqual(["Zip", "Camt", "Mt", "Mt", "UnknownFormat", "UnknownFormat"])
})
