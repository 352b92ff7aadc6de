import { assert, describe, it } from "vitest"
import { decimalOf, ibanText, minorOf, typedAmount, typedMinor } from "../../../../console/pages/bank/Amounts.ts"

describe("Amounts", () => {
  it("reads amounts as people of both languages type them", () => {
    const cases: ReadonlyArray<readonly [string, number | undefined]> = [
      ["250,50", 25050],
      ["250.5", 25050],
      [" 1.234,50 ", 123450],
      ["1,234.50", 123450],
      ["1 234", 123400],
      ["1.234", 123400],
      ["1.234.567", 123456700],
      ["-12,5", -1250],
      ["12,", 1200],
      ["0", 0],
      ["-0", 0],
      ["0.00", 0],
      ["250.501", 25050100],
      ["0.501", undefined],
      ["1234.567", undefined],
      ["12.3456", undefined],
      ["12.3400", 1234],
      ["1,2,3", undefined],
      ["12 EUR", undefined],
      ["99999999999999", undefined],
      ["", undefined],
      ["-", undefined]
    ]
    for (const [text, minor] of cases) assert.strictEqual(typedMinor(text, "EUR"), minor, text)
    assert.strictEqual(typedMinor("1.234", "KWD"), 1234)
    assert.strictEqual(typedMinor("1234", "JPY"), 1234)
    assert.strictEqual(typedMinor("12.5", "JPY"), undefined)
  })

  it("reads and writes the server's decimal texts", () => {
    for (const [text, currency, minor] of [
      ["-12.50", "EUR", -1250],
      ["0.05", "EUR", 5],
      ["1234", "JPY", 1234],
      ["1.234", "KWD", 1234]
    ] as const) {
      assert.strictEqual(minorOf(text, currency), minor)
      assert.strictEqual(decimalOf(minor, currency), text)
    }
    assert.isFalse(Object.is(minorOf("-0.00", "EUR"), -0))
  })

  it("sends what is no amount unchanged, so that the server names the mistake", () => {
    assert.strictEqual(typedAmount("1.234,5", "EUR"), "1234.50")
    assert.strictEqual(typedAmount(" ten ", "EUR"), "ten")
  })

  it("groups an IBAN by four", () => {
    assert.strictEqual(ibanText("DE02120300000000202051"), "DE02 1203 0000 0000 2020 51")
  })
})
