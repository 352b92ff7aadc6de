import { Result } from "effect"
import { expect, it } from "vitest"
import * as Settings from "#core/config/Settings.ts"
import { signInLimits } from "#core/config/SignInLimits.ts"

/** Names of the variables that are refused with these values. */
const refused = (window: number, most: number) =>
  Result.match(
    Settings.load(signInLimits, { AUTH_RATE_LIMIT_WINDOW: String(window), AUTH_RATE_LIMIT_MAX: String(most) }),
    { onFailure: (problems) => problems.map(({ name }) => name), onSuccess: () => [] }
  )

it("limits of sign-ins are from one second to a day, and from 1 to 10,000 failed sign-ins", () => {
  expect([refused(1, 1), refused(86_400, 10_000)]).toEqual([[], []])
  const both = ["AUTH_RATE_LIMIT_WINDOW", "AUTH_RATE_LIMIT_MAX"]
  expect([refused(0, 0), refused(86_401, 10_001)]).toEqual([both, both])
})
