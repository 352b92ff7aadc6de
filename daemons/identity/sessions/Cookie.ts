/**
 * Writes `set-cookie` values: HttpOnly, for one path. Pure. Source: RFC 6265bis §4.1.
 *
 * The library cookie 2.0.2 has 360 lines, this file 40; it knows neither `base` nor the path of an installation.
 */

export interface Cookie {
  readonly name: string
  /** Characters that need no encoding in a cookie (base64url). An empty value with `maxAge` 0 deletes the cookie. */
  readonly value: string
  /** Path relative to the public base address. */
  readonly path: string
  /** Lifetime of the cookie. Unit: seconds. */
  readonly maxAge: number
  readonly sameSite: "Lax" | "Strict"
  /** Sends the cookie over https only, whatever `base` says. */
  readonly secure?: boolean
}

/**
 * The value of `set-cookie`. `base`: public base address. Its path is prepended to the cookie's path; with https the
 * cookie is Secure.
 */
export const setCookie = (base: string, { maxAge, name, path, sameSite, secure, value }: Cookie): string => {
  const { pathname, protocol } = new URL(base)
  return (
    `${name}=${value}; Path=${pathname.replace(/\/$/, "")}${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}` +
    (secure === true || protocol === "https:" ? "; Secure" : "")
  )
}
