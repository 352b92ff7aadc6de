/**
 * Decides whether a sign-in attempt is permitted, from earlier attempts. Pure. Windows are fixed: a window begins with
 * its first attempt, and all its attempts expire together. So at most twice the limit passes around the end of a
 * window.
 */

/** Number of failed attempts permitted before further ones are refused without a check. */
export interface ThrottleLimits {
  /** Length of a window. Unit: seconds. */
  readonly window: number
  /** Attempts per account within a window. */
  readonly perAccount: number
  /** Attempts per client address within a window. */
  readonly perAddress: number
}

/** Count of one key before this attempt. */
export interface Count {
  /** Failed attempts and attempts without a verdict yet. */
  readonly tries: number
  /** Time until the window ends; zero or less when it has ended. Unit: seconds. */
  readonly secondsLeft: number
}

export type ThrottleDecision =
  | { readonly _tag: "Admitted" }
  /** `retryAfter`: whole seconds, at least 1, until an attempt is permitted. */
  | { readonly _tag: "Throttled"; readonly retryAfter: number }

/** `account`, `address`: undefined when nothing is counted. */
export const decide = (
  account: Count | undefined,
  address: Count | undefined,
  limits: ThrottleLimits
): ThrottleDecision => {
  const waits = [wait(account, limits.perAccount), wait(address, limits.perAddress)].filter((seconds) => seconds > 0)
  return waits.length === 0
    ? { _tag: "Admitted" }
    : { _tag: "Throttled", retryAfter: Math.min(Math.ceil(Math.max(...waits)), limits.window) }
}

const wait = (count: Count | undefined, limit: number): number =>
  count === undefined || count.tries < limit ? 0 : count.secondsLeft
