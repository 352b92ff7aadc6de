/**
 * The refresh token as a browser keeps it: in a cookie that no script can read and no other site can send. It goes to
 * the endpoints of signing in and nowhere else, so its name cannot begin with `__Host-`, which asks for the path `/`.
 * Pure.
 */
import * as Cookie from "./Cookie.ts"

export const cookieName = "signalbox_refresh"

/** Where it is sent. */
export const cookiePath = "/api/v1/auth"

type Headers = Readonly<Record<string, string | undefined>>

/**
 * The header that sets it. `base`: our address as browsers know it; `headers`: the request's; `lifetime`: of the
 * session, in seconds.
 */
export const set = (base: string, headers: Headers, token: string, lifetime: number): string =>
  cookie(base, headers, token, lifetime)

/** The header that takes it away. */
export const clear = (base: string, headers: Headers): string => cookie(base, headers, "", 0)

/** Of a request that came by https it is Secure also where our address is written down with http. */
const cookie = (base: string, headers: Headers, value: string, maxAge: number) =>
  Cookie.setCookie(base, {
    name: cookieName,
    value,
    path: cookiePath,
    maxAge,
    sameSite: "Strict",
    secure: cameByHttps(headers)
  })

/** As trusted proxies say; of others the header was taken away before (Listener). */
const cameByHttps = (headers: Headers): boolean => headers["x-forwarded-proto"]?.split(",", 1)[0]!.trim() === "https"
