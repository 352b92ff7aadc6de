/**
 * A place under another root domain that somebody wants to go on to, and the way there with a one-time code. Pure.
 * Source: interface document 3 §4.2, rule 7.
 */
import { hostOf } from "./Host.ts"
import { type Home, returnTo, safeUrl } from "./ReturnTo.ts"

export interface Elsewhere {
  /** As Host.hostOf gives it. */
  readonly host: string
  /** Scheme, host and port. */
  readonly origin: string
  /** The whole address, serialised anew. */
  readonly target: string
}

/** `wanted` as such a place; undefined for what the cookie reaches and for what is no address that could be gone to. */
export const elsewhereOf = (wanted: string | undefined, home: Home): Elsewhere | undefined => {
  const url = safeUrl(wanted, home)
  const host = url === undefined ? undefined : hostOf(url.host)
  return url === undefined || host === undefined || returnTo(wanted, home) !== undefined
    ? undefined
    : { host, origin: url.origin, target: url.href }
}

/** Where the code is taken: `path` is what the proxy of that host hands on to us. */
export const handoffAddress = ({ origin }: Elsewhere, path: string, code: string): string =>
  `${origin}${path}?code=${code}`
