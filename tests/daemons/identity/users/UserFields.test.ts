import { expect, it } from "@effect/vitest"
import { maxName, nameProblem } from "#daemons/identity/users/UserFields.ts"

it.each([
  ["Zoë Müller", undefined],
  ["x".repeat(maxName), undefined],
  ["x".repeat(maxName + 1), "must have at most 200 characters"],
  [" ", "must not be empty"],
  ["Anna\nB.", "must not contain control characters"],
  ["Anna\ud800", "must not contain control characters"]
])("the name %j has the problem %s", (name, problem) => {
  expect(nameProblem(name)).toBe(problem)
})
