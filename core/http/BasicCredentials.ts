/** HTTP Basic credentials, where a program shows a secret of ours as their password. Pure. Source: RFC 7617 §2. */

/**
 * The password; undefined when the header is of another scheme or holds none. The user's name is for the sender's own
 * order.
 */
export const basicPassword = (authorization: string): string | undefined => {
  if (authorization.slice(0, 6).toLowerCase() !== "basic ") return undefined
  const text = Buffer.from(authorization.slice(6), "base64").toString("utf8")
  const colon = text.indexOf(":")
  return colon === -1 ? undefined : text.slice(colon + 1)
}
