import { assert, it } from "@effect/vitest"
import { codeDigits, codeOf, newCode, spoken } from "#daemons/comm-dispatcher/support/SessionCode.ts"

it("makes codes of eight digits that differ", () => {
  const codes = Array.from({ length: 200 }, newCode)
  for (const code of codes) assert.match(code, new RegExp(`^[0-9]{${codeDigits}}$`))
  assert.isAbove(new Set(codes).size, 190)
})

it("reads a code with and without separators, and nothing else", () => {
  assert.strictEqual(spoken("01234567"), "0123-4567")
  for (const typed of ["01234567", "0123-4567", " 01 23 45 67 "]) assert.strictEqual(codeOf(typed), "01234567", typed)
  for (const typed of ["", "0123456", "012345678", "0123456a", "٠١٢٣٤٥٦٧"]) assert.isUndefined(codeOf(typed), typed)
})
