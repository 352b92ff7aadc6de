/** The list of common passwords: it is the package's, and the rules use it. */
import { Redacted } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { commonPasswords } from "#core/password/CommonPasswords.ts"
import { brokenRule } from "#core/password/PasswordRules.ts"
import { entries, source } from "../../../scripts/commonPasswords.ts"

it("is the list of the package; otherwise run scripts/commonPasswords.ts", () => {
  const file = join(import.meta.dirname, "../../../core/password/CommonPasswords.ts")
  expect(readFileSync(file, "utf8")).toBe(source(entries()))
  expect(commonPasswords).toEqual(new Set(entries()))
})

it("is refused by the rules, in any case", () => {
  const rules = new Set(
    entries().map((password) => brokenRule(Redacted.make(password.toUpperCase()), "ann@example.org"))
  )
  expect(rules).toEqual(new Set(["password_too_common"]))
})
