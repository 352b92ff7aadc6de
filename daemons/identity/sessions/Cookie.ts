/** Writes `set-cookie` values: HttpOnly, for one path. Pure. Source: RFC 6265bis §4.1. */

export interface Cookie {
  readonly name: string
  /** Of the characters a cookie may hold as they are (base64url is). Empty with `maxAge` 0: takes it away. */
  readonly value: string
  /** Below our address. */
  readonly path: string
  /** Unit: seconds. */
  readonly maxAge: number
  readonly sameSite: "Lax" | "Strict"
  /** Only over https, whatever `base` says. */
  readonly secure?: boolean
}

/**
 * The value of `set-cookie`. `base`: our address as browsers know it; its path comes before the cookie's, its https
 * makes it Secure.
 */
export const setCookie = (base: string, { maxAge, name, path, sameSite, secure, value }: Cookie): string => {
  const { pathname, protocol } = new URL(base)
  return (
    `${name}=${value}; Path=${pathname.replace(/\/$/, "")}${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}` +
    (secure === true || protocol === "https:" ? "; Secure" : "")
  )
}
