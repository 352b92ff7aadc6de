/**
 * Return addresses under another root domain, which a user reaches by a one-time code. Pure. Source: interface document
 * 3 §4.2, rule 7.
 */
import { hostOf } from "./Host.ts"
import { type Home, returnTo, safeUrl } from "./ReturnTo.ts"

export interface Elsewhere {
  /** Normalised by `hostOf`. */
  readonly host: string
  /** Scheme, host and port. */
  readonly origin: string
  /** Whole address, serialised by `URL`. */
  readonly target: string
}

/** `wanted` as an address at another root domain; undefined when the cookie reaches it or it is no safe address. */
export const elsewhereOf = (wanted: string | undefined, home: Home): Elsewhere | undefined => {
  const url = safeUrl(wanted, home)
  const host = url === undefined ? undefined : hostOf(url.host)
  return url === undefined || host === undefined || returnTo(wanted, home) !== undefined
    ? undefined
    : { host, origin: url.origin, target: url.href }
}

/** Address that redeems the code. `path`: the path that the proxy of that host forwards to our `/handoff`. */
export const handoffAddress = ({ origin }: Elsewhere, path: string, code: string): string =>
  `${origin}${path}?code=${code}`
