/**
 * The session of the signed-in user. The access token stays in memory. A cookie that scripts cannot read renews it, so
 * a reloaded page signs in by itself. Only one tab renews at a time.
 */
import { batch, signal } from "@preact/signals"
import { Problem, problemOf } from "./Problem.ts"

/**
 * Time before expiry at which the token is renewed. Unit: milliseconds. Reason: longer than a request takes and than
 * usual clock differences.
 */
const early = 60_000

/** Limit for a renewal. Unit: milliseconds. */
const patience = 15_000

/** Delay before the retry of a renewal without an answer. Unit: milliseconds. */
const again = 5_000

/** The access token; undefined when nobody is signed in. */
export const token = signal<string | undefined>(undefined)

/** `unknown` until the cookie has been tried. */
export const state = signal<"unknown" | "out" | "in">("unknown")

/** Whether the sign-in link that this page was opened with was refused. */
export const linkRefused = signal(false)

export interface Tokens {
  readonly access_token: string
  readonly expires_in: number
}

let timer: ReturnType<typeof setTimeout> | undefined
let renewing: Promise<boolean> | undefined

/** Signs in; rejects with a `Problem`, for example `second_factor_required`. */
export const signIn = async (email: string, password: string, code: string | undefined): Promise<void> =>
  take(await post("login", { email, password, ...(code === undefined ? {} : { code }), cookie: true }))

/** Signs in with the one-time token of a link, which the sign-in at an external provider ends with. */
export const signInByLink = async (link: string): Promise<void> =>
  take(await post("link", { token: link, cookie: true }))

/**
 * Renews the token with the cookie. False: nobody is signed in any more. Without an answer the session stays unchanged.
 */
export const renew = (): Promise<boolean> => (renewing ??= locked(renewed).finally(() => (renewing = undefined)))

/**
 * Ends the session at the server, then on this page. In this order, because a page that is loaded again before the
 * server's answer would sign in by the cookie. Without an answer only this page signs out.
 */
export const signOut = async (): Promise<void> => {
  const held = token.value
  await locked(() =>
    fetch("/api/v1/auth/logout", {
      method: "POST",
      headers: held === undefined ? {} : { authorization: `Bearer ${held}` },
      // Not cancelled when the page is closed.
      keepalive: true,
      signal: AbortSignal.timeout(patience)
    }).catch(() => undefined)
  )
  forget()
}

const renewed = async (): Promise<boolean> => {
  try {
    take(await post("refresh", {}))
    return true
  } catch (error) {
    if (error instanceof Problem && (error.status === 0 || error.status >= 429)) {
      clearTimeout(timer)
      timer = setTimeout(() => void renew(), again)
      return token.value !== undefined
    }
    forget()
    return false
  }
}

/** One renewal at a time: the server takes a cookie used twice as stolen. */
const locked = <A>(work: () => Promise<A>): Promise<A> =>
  navigator.locks === undefined ? work() : navigator.locks.request("signalbox renew", work)

/** Continues the session with new tokens, for example after a change of the password. */
export const take = ({ access_token, expires_in }: Tokens): void => {
  batch(() => {
    token.value = access_token
    state.value = "in"
  })
  clearTimeout(timer)
  timer = setTimeout(() => void renew(), Math.max(expires_in * 1000 - early, early / 2))
}

const forget = (): void => {
  clearTimeout(timer)
  batch(() => {
    token.value = undefined
    state.value = "out"
  })
}

const post = async (path: string, payload: unknown): Promise<Tokens> => {
  const response = await fetch(`/api/v1/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(payload),
    signal: AbortSignal.timeout(patience)
  }).catch(() => {
    throw new Problem(0, "unreachable", "The server does not answer.")
  })
  if (!response.ok) throw await problemOf(response)
  return (await response.json()) as Tokens
}
