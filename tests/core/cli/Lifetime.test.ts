import { parseLifetime } from "#core/cli/Lifetime.ts"
import { Result } from "effect"
import { expect, it } from "vitest"

it.each([
  ["90d", 7_776_000_000],
  ["12h", 43_200_000],
  ["30m", 1_800_000],
  ["2w", 1_209_600_000],
  [" 1d ", 86_400_000],
  ["3650d", 315_360_000_000]
])("%s is %i ms", (text, lifetime) => expect(parseLifetime(text)).toEqual(Result.succeed(lifetime)))

it.each(["", "90", "d", "-1d", "1.5d", "0d", "3651d", "90 d", "90D", "99999999999d", "1d1h"])(
  "%j is refused",
  (text) => {
    expect(Result.isFailure(parseLifetime(text))).toBe(true)
  }
)
