/** The cookie that a session is known by. Pure. Source: interface document 3 §2.2, RFC 6265bis. */

export const cookieName = "__platform_auth"

/** Candidates looked at. Unit: cookies. Reason: a host below ours may set one of the same name before or after ours; more than a few are an attack. */
const maxCandidates = 4

const tokenForm = /^[0-9a-f]{64}$/

/** Every value of the cookie that looks like a token, in the order they were sent. */
export const tokensOf = (header: string | undefined): ReadonlyArray<string> => {
  if (header === undefined || !header.includes(cookieName)) return []
  const found = new Array<string>()
  for (const part of header.split(";")) {
    const at = part.indexOf("=")
    if (at === -1 || part.slice(0, at).trim() !== cookieName) continue
    const value = part.slice(at + 1).trim()
    if (tokenForm.test(value) && !found.includes(value) && found.push(value) === maxCandidates) break
  }
  return found
}

/** The value of `set-cookie`. `domain` undefined: for the answering host alone. `maxAge` in seconds; 0 takes it away. */
export const sessionCookie = (token: string, domain: string | undefined, maxAge: number): string =>
  `${cookieName}=${token}${domain === undefined ? "" : `; Domain=${domain}`}; Path=/; Max-Age=${maxAge}; Secure; HttpOnly; SameSite=Lax`
