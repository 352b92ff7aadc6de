/**
 * Who is signed in. The access token lives in memory only; what renews it is a cookie that no script can read, so that
 * a page opened anew signs in again by itself. One tab renews at a time.
 */
import { batch, signal } from "@preact/signals"
import { Problem, problemOf } from "./Problem.ts"

/**
 * A minute before its end the token is renewed. Unit: milliseconds. Reason: longer than a request takes, and clocks
 * differ.
 */
const early = 60_000

/** How long one renewal may take. Unit: milliseconds. */
const patience = 15_000

/** After a renewal that nobody answered the next is tried. Unit: milliseconds. */
const again = 5_000

/** The access token; undefined: nobody is signed in. */
export const token = signal<string | undefined>(undefined)

/** `unknown` until the cookie was tried. */
export const state = signal<"unknown" | "out" | "in">("unknown")

export interface Tokens {
  readonly access_token: string
  readonly expires_in: number
}

let timer: ReturnType<typeof setTimeout> | undefined
let renewing: Promise<boolean> | undefined

/** Signs in; rejects with a `Problem`, `second_factor_required` among them. */
export const signIn = async (email: string, password: string, code: string | undefined): Promise<void> =>
  take(await post("login", { email, password, ...(code === undefined ? {} : { code }), cookie: true }))

/** Changes the token of a one-time link, which an outside provider's sign-in comes back with. */
export const signInByLink = async (link: string): Promise<void> =>
  take(await post("link", { token: link, cookie: true }))

/** Renews by the cookie; false: nobody is signed in any more. When nobody answers, what is there stays. */
export const renew = (): Promise<boolean> => (renewing ??= locked(renewed).finally(() => (renewing = undefined)))

export const signOut = async (): Promise<void> => {
  const held = token.value
  forget()
  await fetch("/api/v1/auth/logout", {
    method: "POST",
    headers: held === undefined ? {} : { authorization: `Bearer ${held}` },
    signal: AbortSignal.timeout(patience)
  }).catch(() => undefined)
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

/** Two tabs that renew at once would look like a stolen cookie. */
const locked = (work: () => Promise<boolean>): Promise<boolean> =>
  navigator.locks === undefined ? work() : navigator.locks.request("signalbox renew", work)

/** Goes on with tokens that another way brought: a new password's. */
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
