/**
 * Refresh token as a browser cookie that scripts cannot read and other sites cannot send. It is sent only to the
 * sign-in endpoints, so its name cannot have the prefix `__Host-`, which requires the path `/`. Pure.
 */
import * as Cookie from "./Cookie.ts"

export const cookieName = "signalbox_refresh"

/** Path of the cookie. */
export const cookiePath = "/api/v1/auth"

type Headers = Readonly<Record<string, string | undefined>>

/**
 * Header that sets the cookie. `base`: public base address; `headers`: request headers; `lifetime`: of the session, in
 * seconds.
 */
export const set = (base: string, headers: Headers, token: string, lifetime: number): string =>
  cookie(base, headers, token, lifetime)

/** Header that deletes the cookie. */
export const clear = (base: string, headers: Headers): string => cookie(base, headers, "", 0)

/** Secure when the request arrived by https, even if the public base address is configured with http. */
const cookie = (base: string, headers: Headers, value: string, maxAge: number) =>
  Cookie.setCookie(base, {
    name: cookieName,
    value,
    path: cookiePath,
    maxAge,
    sameSite: "Strict",
    secure: isHttps(headers)
  })

/** Whether the request arrived by https. The listener has removed this header unless a trusted proxy sent it. */
const isHttps = (headers: Headers): boolean => headers["x-forwarded-proto"]?.split(",", 1)[0]!.trim() === "https"
