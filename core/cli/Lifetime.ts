/** Parses the lifetime of a token as an operator writes it. Pure. */
import { Result } from "effect"

/** Milliseconds per unit. */
const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/**
 * Longest lifetime. Unit: milliseconds. Reason: ten years; an operator who wants more gives no lifetime, and the token
 * never expires.
 */
export const maxLifetime = 3650 * units.d

/** Parses `90d`, `12h`, `30m` or `2w` into milliseconds. */
export const parseLifetime = (text: string): Result.Result<number, string> => {
  const match = /^(\d{1,9})([mhdw])$/.exec(text.trim())
  if (match === null) return Result.fail("must be a number with m, h, d or w, such as 90d")
  const lifetime = Number(match[1]) * units[match[2] as keyof typeof units]
  if (lifetime <= 0) return Result.fail("must be greater than zero")
  return lifetime > maxLifetime
    ? Result.fail("must be at most 3650d; omit it for a token that never expires")
    : Result.succeed(lifetime)
}
