/**
 * Whether a sign-in may be tried, from what was tried before. Pure. Windows are fixed: they begin with the first try
 * and end with all their tries at once, so that around the end of one at most twice the limit passes.
 */

/** How many failed tries are let pass before the next is refused unseen. */
export interface ThrottleLimits {
  /** Unit: seconds. */
  readonly window: number
  /** Unit: tries in a window, at one account. */
  readonly perAccount: number
  /** Unit: tries in a window, from one client address. */
  readonly perAddress: number
}

/** What was counted under one key before this try. */
export interface Count {
  /** Failed tries, and those that are not decided yet. */
  readonly tries: number
  /** Until the window ends; zero or less: it has ended. Unit: seconds. */
  readonly secondsLeft: number
}

export type ThrottleDecision =
  | { readonly _tag: "Admitted" }
  /** `retryAfter`: whole seconds, at least 1, until a try can pass again. */
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
