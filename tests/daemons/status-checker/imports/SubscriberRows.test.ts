import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { judge, knownColumns, maxSubscribers, type Row } from "#daemons/status-checker/imports/SubscriberRows.ts"

const read = (...rows: ReadonlyArray<Row>) => judge(rows, new Set(rows.flatMap((row) => Object.keys(row))))
const taken = (...rows: ReadonlyArray<Row>) => Result.getOrThrow(read(...rows))
const problem = (...rows: ReadonlyArray<Row>) =>
  Result.match(read(...rows), { onFailure: (text) => text, onSuccess: () => undefined })
const email = "anna@example.org"

describe("rows of subscribers", () => {
  it("are imported when marked as confirmed, in the usual spellings", () => {
    const confirmed: ReadonlyArray<Row> = [
      { confirmed: 1 },
      { confirmed: true },
      { confirmed: "yes" },
      { is_confirmed: "1" },
      { verified: "t" },
      { is_verified: 1 },
      { status: "confirmed" },
      { status: " Active " },
      { status: "verified" },
      { confirmed_at: "2026-01-01" },
      { verified_at: 1_769_846_400 },
      { status: "confirmed", confirmed_at: null },
      { confirmed: 1, active: 1 },
      { confirmed: 1, active: null },
      { confirmed: 1, unsubscribed: 0, unsubscribed_at: null, deleted_at: "" }
    ]
    for (const row of confirmed)
      expect({ row, ...taken({ email, ...row }) }).toMatchObject({
        confirmed: [{ email, lang: "en" }],
        pending: 0,
        unsubscribed: 0,
        unclear: 0
      })
  })

  it("are skipped and counted when not confirmed", () => {
    const pending: ReadonlyArray<Row> = [
      { confirmed: 0 },
      { confirmed: false },
      { confirmed: null },
      { confirmed: "" },
      { verified: "no" },
      { status: "pending" },
      { status: "UNCONFIRMED" },
      { confirmed_at: null },
      { confirmed_at: "" },
      { verified_at: 0 },
      { status: "pending", confirmed: 1 },
      { is_verified: "0", confirmed_at: "2026" }
    ]
    for (const row of pending) expect({ row, ...taken({ email, ...row }) }).toMatchObject({ confirmed: [], pending: 1 })
    const left: ReadonlyArray<Row> = [
      { status: "unsubscribed" },
      { status: "bounced" },
      { confirmed: 1, unsubscribed: 1 },
      { confirmed: 1, unsubscribed_at: "2026-01-01" },
      { confirmed: 1, active: 0 },
      { confirmed: 1, deleted_at: 1_769_846_400 },
      { confirmed: 1, unsubscribed: "what?" }
    ]
    for (const row of left)
      expect({ row, ...taken({ email, ...row }) }).toMatchObject({ confirmed: [], unsubscribed: 1 })
    for (const row of [{ status: "purple" }, { confirmed: 7 }, { confirmed: {} }, { confirmed: new Uint8Array(3) }]) {
      expect({ row, ...taken({ email, ...row }) }).toMatchObject({ confirmed: [], unclear: 1 })
    }
  })

  it("have one form of an address, and no undeliverable address", () => {
    const rows = [
      " Anna@Example.ORG ",
      email,
      "no address",
      "a@b\r\nBcc: c@d.example",
      "a\u0000@example.org",
      "",
      null,
      3,
      new Uint8Array(2),
      `${"x".repeat(300)}@example.org`
    ]
    expect(taken(...rows.map((value) => ({ email: value, confirmed: 1 })))).toEqual({
      confirmed: [{ email, lang: "en" }],
      pending: 0,
      unsubscribed: 0,
      unclear: 8,
      repeated: 1
    })
    expect(taken({ e_mail: email, confirmed: 1 }).confirmed).toHaveLength(1)
  })

  it("keep their language, German or English", () => {
    const lang = (value: unknown) => taken({ email, confirmed: 1, lang: value }).confirmed[0]!.lang
    for (const value of ["de", "DE", "de-AT", "de_DE.UTF-8", "German", "deutsch"]) expect(lang(value)).toBe("de")
    for (const value of ["en", "fr", "den", "", null, 3]) expect(lang(value)).toBe("en")
    expect(taken({ email, confirmed: 1, locale: "de_CH" }).confirmed[0]!.lang).toBe("de")
  })

  it("name their missing fields", () => {
    expect(problem({ confirmed: 1 })).toBe("has no address column: add one of email, e_mail, mail, address")
    expect(problem({ email })).toMatch(/^has no confirmation column: add one of status, confirmed/)
    expect(taken()).toMatchObject({ confirmed: [] })
    expect(
      Result.isFailure(
        judge(
          Array.from({ length: maxSubscribers + 1 }, () => ({ email, confirmed: 1 })),
          new Set(["email", "confirmed"])
        )
      )
    ).toBe(true)
  })

  it("never throw, and are all counted", () => {
    const row = fc.dictionary(
      fc.constantFrom(...knownColumns),
      fc.oneof(fc.anything(), fc.emailAddress(), fc.constantFrom(0, 1, "yes", "pending"))
    )
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const result = read(...rows)
        if (Result.isFailure(result)) return
        const { confirmed, pending, repeated, unclear, unsubscribed } = result.success
        expect(confirmed.length + pending + repeated + unclear + unsubscribed).toBe(rows.length)
      })
    )
  })
})
