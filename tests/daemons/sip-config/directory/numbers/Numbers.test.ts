import { assert, describe, it } from "@effect/vitest"
import { classify } from "#daemons/sip-config/directory/numbers/NumberPlan.ts"
import { e164, spellings, tail } from "#daemons/sip-config/directory/numbers/Spellings.ts"

describe("the number plan", () => {
  const cases: ReadonlyArray<readonly [extension: string, name: string, kind: string, warnings: number]> = [
    ["1000", "Anna", "employee", 0],
    ["1009", "Anna", "employee", 0],
    ["1010", "Line 1", "line", 1],
    ["1019", "Line 10", "line", 1],
    ["1020", "Ben", "employee", 0],
    ["1099", "Test", "test", 1],
    ["1100", "Far", "other", 1],
    ["999", "Far", "test", 0],
    ["99", "Far", "test", 0],
    ["20", "Near", "other", 1],
    ["21", "Near", "short", 0],
    ["29", "Near", "short", 0],
    ["30", "Near", "other", 1],
    ["0021", "Near", "other", 1],
    ["webrtc-anna", "Anna", "webrtc", 0],
    ["1005", "webrtc Anna", "webrtc", 0]
  ]
  for (const [extension, name, kind, warnings] of cases) {
    it(`${extension} (${name}) is ${kind}`, () => {
      const found = classify(extension, name)
      assert.deepStrictEqual([found.kind, found.warnings.length], [kind, warnings])
    })
  }
})

describe("spellings", () => {
  it("reads what lines and people write", () => {
    for (const written of ["+49 30 901820", "0049 30 901820", "030 901820", "(030) 90-18-20", "030/901820"])
      assert.strictEqual(e164(written, "DE"), "+4930901820", written)
    assert.strictEqual(e164("+44 20 7946 0958", "DE"), "+442079460958")
  })

  it("reads nothing else as a number", () => {
    for (const written of [
      "",
      "anonymous",
      "1",
      "+",
      "sip:030901820@x",
      "030901820;ext=1",
      "0".repeat(65),
      "\u0661\u0662\u0663\u0664\u0665",
      "+49 30 901820\r\nX: y"
    ]) {
      assert.strictEqual(e164(written, "DE"), undefined, written)
    }
  })

  it("writes a number as each line may", () => {
    assert.deepStrictEqual(spellings("+4930901820", "DE"), ["+4930901820", "4930901820", "004930901820", "030901820"])
    assert.deepStrictEqual(spellings("+442079460958", "DE"), ["+442079460958", "442079460958", "00442079460958"])
  })

  it("knows the last ten digits, whatever stands before them", () => {
    for (const written of ["+4930123456789", "004930123456789", "49 (30) 123-456-789"])
      assert.strictEqual(tail(written), "0123456789", written)
    assert.strictEqual(tail("030123456789"), "0123456789")
    assert.strictEqual(tail("90182"), "90182")
    for (const none of ["1001", "anonymous", "", "+"]) assert.strictEqual(tail(none), undefined)
  })
})
