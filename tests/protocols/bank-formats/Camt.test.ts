import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { BankFormatsError } from "#protocols/bank-formats/BankFormatsError.ts"
import { type CamtEvent, camtParser, maxToken, parseCamt } from "#protocols/bank-formats/Camt.ts"
import { camt, detail, entry, type EntryParts, iban } from "./samples.ts"

const read = (text: string) => Result.getOrThrow(parseCamt(Buffer.from(text)))
const entriesOf = (events: ReadonlyArray<CamtEvent>) =>
  events.flatMap((event) => (event._tag === "Entry" ? [event.entry] : []))
const one = (parts: EntryParts, version = "camt.053.001.08") => entriesOf(read(camt(version, entry(parts))))[0]!
const reason = <A>(result: Result.Result<A, BankFormatsError>) =>
  Result.isFailure(result) ? result.failure.reason._tag : "success"
const eur = (minor: bigint) => ({ minor, currency: "EUR" })

describe("camt", () => {
  it.each([
    ["camt.053.001.02", "BOOK", ""],
    ["camt.053.001.04", "BOOK", ""],
    ["camt.053.001.08", "<Cd>BOOK</Cd>", ""],
    ["camt.053.001.13", "<Cd>BOOK</Cd>", "n"],
    ["camt.052.001.08", "<Cd>BOOK</Cd>", "ns2"]
  ])("%s is read by local names", (version, status, prefix) => {
    const [first, ...rest] = read(camt(version, entry({ status, details: detail() }), prefix))
    expect(first).toEqual({
      _tag: "Statement",
      statement: {
        kind: version.startsWith("camt.052") ? "Intraday" : "EndOfDay",
        format: version,
        id: "S1",
        number: 7,
        createdAt: "2026-01-07T03:00:00+01:00",
        from: "2026-01-06",
        to: "2026-01-06",
        account: { iban, bic: "COBADEFFXXX", currency: "EUR" },
        balances: [
          { code: "OPBD", intermediate: false, amount: eur(10_000n), date: "2026-01-06" },
          { code: "CLBD", intermediate: false, amount: eur(-550n), date: "2026-01-06" }
        ]
      }
    })
    expect(entriesOf(rest)).toHaveLength(1)
  })

  it("reads an entry with one detail", () => {
    const code = {
      domain: "PMNT",
      family: "RCDT",
      subFamily: "ESCT",
      proprietary: "NTRF+166+9310+00931",
      swift: "NTRF",
      gvc: "166"
    }
    expect(one({ details: detail() })).toEqual({
      amount: eur(25_050n),
      reversal: false,
      status: "Booked",
      bookingDate: "2026-01-06",
      valueDate: "2026-01-07",
      bankReference: "BANKREF1",
      code,
      info: "SEPA-Gutschrift",
      transactions: [
        {
          amount: eur(25_050n),
          endToEndId: "RE-2026-0042",
          mandateId: "M-1",
          counterparty: { name: "Mustermann & Söhne", iban: "DE02120300000000202051", bic: "BYLADEM1001" },
          remittance: {
            lines: ["Rechnung RE-2026-0042"],
            text: "Rechnung RE-2026-0042",
            references: ["RF18539007547034"],
            documents: [{ code: "CINV", number: "4711" }]
          },
          purpose: "SALA",
          returnReason: "AC04",
          code
        }
      ]
    })
  })

  it("gives an amount the direction of the money, also for a reversal", () => {
    expect(one({ side: "DBIT" }).amount).toEqual(eur(-25_050n))
    expect(one({ side: "DBIT", reversal: true })).toMatchObject({ amount: eur(-25_050n), reversal: true })
    expect(one({ side: "CRDT", reversal: true }).amount).toEqual(eur(25_050n))
  })

  it.each([
    ["a credit", { side: "CRDT" }, "Cdtr"],
    ["a debit", { side: "DBIT" }, "Dbtr"],
    ["a returned direct debit", { side: "DBIT", reversal: true }, "Cdtr"],
    ["a returned payment", { side: "CRDT", reversal: true }, "Dbtr"]
  ] as const)("takes the party that is not us for %s, with and without our IBAN", (_, parts, weAre) => {
    for (const details of [detail({ weAre }), detail({ weAre }).replaceAll(iban, "")])
      expect(one({ ...parts, details }).transactions[0]!.counterparty.name).toBe("Mustermann & Söhne")
  })

  it("finds the other party where the roles contradict the direction", () => {
    expect(one({ side: "DBIT", details: detail({ weAre: "Cdtr" }) }).transactions[0]!.counterparty.iban).toBe(
      "DE02120300000000202051"
    )
  })

  it("reads a batch as its details when they sum to the entry", () => {
    const details = `<Btch><NbOfTxs>3</NbOfTxs></Btch>${detail({ amount: "100.00" })}${detail({ amount: "200.50" })}${detail({ amount: "50", side: "DBIT" })}`
    const { finding, transactions } = one({ details })
    expect([finding, transactions.map(({ amount }) => amount.minor)]).toEqual([undefined, [10_000n, 20_050n, -5_000n]])
  })

  it.each([
    ["DetailsDoNotSum", detail({ amount: "100" }) + detail({ amount: "100" })],
    ["DetailsDoNotSum", detail({ amount: "100" }) + detail()],
    ["DetailsDoNotSum", `<Btch><NbOfTxs>2</NbOfTxs></Btch>${detail()}`],
    ["DetailsElsewhere", "<Btch><NbOfTxs>20</NbOfTxs></Btch>"]
  ])("leaves a batch as one transaction: %s", (finding, details) => {
    expect(one({ details })).toMatchObject({
      finding,
      transactions: [{ amount: eur(25_050n), counterparty: {}, remittance: { text: "SEPA-Gutschrift" } }]
    })
  })

  it("reads the amounts of version 02 from AmtDtls", () => {
    const details = ["100.25", "150.25"]
      .map((amount) =>
        detail()
          .replace("<RltdPties>", `<AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls><RltdPties>`)
          .replaceAll(/<\/?Pty>/g, "")
      )
      .join("")
    const { transactions } = one({ details, status: "BOOK" }, "camt.053.001.02")
    expect(transactions.map(({ amount, counterparty }) => [amount.minor, counterparty.name])).toEqual([
      [10_025n, "Mustermann & Söhne"],
      [15_025n, "Mustermann & Söhne"]
    ])
  })

  it.each(["NOTPROVIDED", "NONREF", "notprovided", " "])("treats the reference %j as none", (reference) => {
    expect(one({ details: detail({ reference }) }).transactions[0]).not.toHaveProperty("endToEndId")
  })

  it("joins lines of remittance: full ones without a blank", () => {
    const full = "x".repeat(140)
    expect(
      one({ details: detail({ text: `${full}</Ustrd><Ustrd>y</Ustrd><Ustrd>z` }) }).transactions[0]!.remittance
    ).toMatchObject({ lines: [full, "y", "z"], text: `${full}y z` })
  })

  it.each([
    ["0.01", "EUR", 1n],
    ["0.50000", "EUR", 50n],
    ["999999999999999.99", "EUR", 99_999_999_999_999_999n],
    ["1500", "JPY", 1_500n],
    ["1.234", "KWD", 1_234n]
  ])("reads the amount %s %s exactly", (amount, currency, minor) => {
    expect(one({ amount, currency }).amount).toEqual({ minor, currency })
  })

  it.each([
    ["1.005", "EUR"],
    ["1,00", "EUR"],
    ["-1.00", "EUR"],
    ["1e3", "EUR"],
    ["", "EUR"],
    ["1.5", "JPY"],
    ["1", "eur"],
    ["0x10", "EUR"]
  ])("refuses the amount %j %s", (amount, currency) => {
    expect(reason(parseCamt(Buffer.from(camt("camt.053.001.08", entry() + entry({ amount, currency })))))).toBe(
      "BadAmount"
    )
  })

  it("names the entry of an error", () => {
    const result = parseCamt(Buffer.from(camt("camt.053.001.08", entry() + entry({ amount: "x" }))))
    expect(result).toMatchObject({ failure: { entry: 2 } })
  })

  it("gives the same events whatever the pieces of the file", () => {
    const bytes = Buffer.from(
      camt("camt.053.001.08", entry({ details: detail() }) + entry({ details: detail({ text: "Grüße" }) }))
    )
    const whole = Result.getOrThrow(parseCamt(bytes))
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
        const parser = camtParser()
        const borders = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
        const events = borders
          .slice(1)
          .flatMap((end, at) => Result.getOrThrow(parser.write(bytes.subarray(borders[at], end))))
        expect([...events, ...Result.getOrThrow(parser.close())]).toEqual(whole)
      }),
      { numRuns: 30 }
    )
  })
})

describe("hostile camt files", () => {
  it.each([
    ["a document type", `<!DOCTYPE a [<!ENTITY b "c">]><Document/>`, "Malformed"],
    ["an external entity", `<!DOCTYPE Document SYSTEM "file:///etc/passwd"><Document/>`, "Malformed"],
    ["an unknown entity", camt("camt.053.001.08", entry({ amount: "&b;" })), "Malformed"],
    ["another message", `<Document><CstmrCdtTrfInitn/></Document>`, "Malformed"],
    ["an HTML page", "<html/>", "Malformed"],
    ["deep nesting", camt("camt.053.001.08", "<a>".repeat(1_000)), "TooLarge"],
    ["an endless entry", camt("camt.053.001.08", `<Ntry>${"<a/>".repeat(30_000)}</Ntry>`), "TooLarge"],
    [
      "an endless text",
      camt("camt.053.001.08", `<Ntry><Amt>${"1".repeat(maxToken + 200_000)}</Amt></Ntry>`),
      "TooLarge"
    ],
    ["half a file", camt("camt.053.001.08", entry()).slice(0, -30), "Malformed"],
    ["no indicator", camt("camt.053.001.08", entry().replace("<CdtDbtInd>CRDT</CdtDbtInd>", "")), "Malformed"],
    ["an unknown status", camt("camt.053.001.08", entry({ status: "X" })), "Malformed"],
    [
      "a day that does not exist",
      camt("camt.053.001.08", entry().replace("<Dt>2026-01-06</Dt>", "<Dt>2026-02-30</Dt>")),
      "BadDate"
    ]
  ])("%s is refused", (_, text, expected) => {
    expect(reason(parseCamt(Buffer.from(text)))).toBe(expected)
  })

  it("stay refused", () => {
    const parser = camtParser()
    expect(reason(parser.write(Buffer.from("<html>")))).toBe("Malformed")
    expect(reason(parser.write(Buffer.from(camt("camt.053.001.08", ""))))).toBe("Malformed")
    expect(reason(parser.close())).toBe("Malformed")
  })

  it("changed anywhere never throw", () => {
    const text = camt("camt.053.001.08", entry({ details: detail() }))
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(20), fc.string({ maxLength: 5 }), (at, cut, put) => {
        const result = parseCamt(Buffer.from(text.slice(0, at) + put + text.slice(at + cut)))
        if (Result.isFailure(result)) expect(result.failure.message).not.toContain("Mustermann")
      }),
      { numRuns: 300 }
    )
  })
})
