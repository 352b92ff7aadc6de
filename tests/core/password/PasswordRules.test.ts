import { Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { maxPassword, minPassword, prepare, problemOf } from "#core/password/PasswordRules.ts"

const problem = (password: string, email = "ann.the.first@example.org") => problemOf(Redacted.make(password), email)

describe("allowed", () => {
  it.each([
    ["ten characters", "tenletters"],
    ["words without digits or signs", "correct horse battery staple"],
    ["the longest", "ab".repeat(maxPassword / 2)],
    ["ten of another script", "пароль-мой"],
    ["spaces at the ends", "  ab cd ef  "],
    ["the address and more", "ann.the.first@example.org!"]
  ])("%s", (_what, password) => {
    expect(problem(password)).toBeUndefined()
  })
})

describe("refused, with the remedy", () => {
  it.each([
    ["nine characters", "nineletrs", /at least 10/],
    ["nine characters of two units each", "😀".repeat(8) + "x", /at least 10/],
    ["ten that compose to nine", "ninelettre\u0301".slice(1), /at least 10/],
    ["too long", "ab".repeat(maxPassword / 2) + "c", /at most 1024/],
    ["far too long", "ab".repeat(1_000_000), /at most 1024/],
    ["one character", "aaaaaaaaaaaa", /more than one/],
    ["one character in both cases", "aAaAaAaAaAaA", /more than one/],
    ["the address", "Ann.The.First@Example.org", /e-mail/],
    ["its local part", "ANN.the.first", /e-mail/],
    ["a common one", "Password123", /guessed first/],
    ["a common one in German", "passwort123", /guessed first/],
    ["a line break", "two\nlines of it", /control/],
    ["half a character", "half a \ud83d character", /control/]
  ])("%s", (_what, password, says) => {
    expect(problem(password)).toMatch(says)
  })

  it("without showing the password", () => {
    fc.assert(
      fc.property(fc.string({ minLength: minPassword - 2 }), fc.constantFrom("\n", ""), (text, end) => {
        const said = problem(text + end)
        if (said !== undefined && text.length > 2) expect(said).not.toContain(text)
      })
    )
  })
})

describe("normalisation", () => {
  it("unifies different keyboard input", () => {
    expect(prepare("cafe\u0301\u00a0au\u3000lait")).toBe("caf\u00e9 au lait")
    // Different characters stay different: a ligature is not replaced by two letters.
    expect(prepare("\ufb01Ab ")).toBe("\ufb01Ab ")
  })

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => prepare(prepare(text)) === prepare(text))
    )
  })
})
