/**
 * What a user's token says. Two kinds, told apart by `type` and by audience, so that neither is ever taken for the
 * other. Source: RFC 7519; the type names are the interface's (document 1 §2.3).
 */
import type { JWTPayload } from "jose"
import { type Role, roles } from "./Roles.ts"

/** Who issues: one constant for all daemons of a database, which is what the keys belong to. */
export const issuer = "signalbox"

/** Whom each kind is for. */
export const audienceOf = { access: "signalbox", mail_access: "mail" } as const
export type TokenType = keyof typeof audienceOf

/** How long a mail token is good. Unit: seconds. Source: interface document 1 §8. */
export const mailTokenLifetime = 3600

/**
 * Bounds on `SIGNALBOX_JWT_TTL`. Unit: seconds. Reason: ended sessions are remembered for as long as a token may live.
 */
export const accessLifetime = { min: 30, max: 86_400, default: 900 } as const

/**
 * How long an ended session is remembered. Unit: seconds. Reason: the longest life of a token, and clocks that differ.
 */
export const endedRemembered = accessLifetime.max + 300

/**
 * `sub` and `sid` of a token that a daemon signs for itself: a mailbox is watched whoever is signed in, and whether or
 * not it has a user.
 */
const daemonSubject = "daemon"
export const daemonSession = "daemon"

/**
 * How long a daemon's own mail token is good. Unit: seconds. Reason: it signs in at once; the connection outlives it.
 */
export const daemonTokenLifetime = 300

interface Common {
  readonly tenantId: number
  /** The session it was issued in; ends with it. Of a daemon's own token `daemonSession`. */
  readonly session: string
  readonly id: string
  /** Unix seconds. */
  readonly expires: number
}

export interface AccessClaims extends Common {
  readonly type: "access"
  readonly userId: number
  readonly role: Role
}

export interface MailClaims extends Common {
  readonly type: "mail_access"
  /** Null: a daemon of ours signs in to the mailbox, for the platform. */
  readonly userId: number | null
  /** The mailbox address it opens, in lower case. */
  readonly email: string
}

export type Claims = AccessClaims | MailClaims

/** The payload as it is signed. Pure. */
export const encode = (claims: Claims): JWTPayload => ({
  type: claims.type,
  iss: issuer,
  aud: audienceOf[claims.type],
  sub: claims.userId === null ? daemonSubject : String(claims.userId),
  tid: claims.tenantId,
  sid: claims.session,
  jti: claims.id,
  exp: claims.expires,
  ...(claims.type === "access" ? { role: claims.role } : { email: claims.email })
})

/**
 * The claims of a payload whose signature, issuer, audience and times were checked; nothing unless every one is there.
 * Pure.
 */
export const decode = (payload: JWTPayload, type: TokenType): Claims | undefined => {
  const { email, exp, jti, role, sid, sub, tid } = payload
  // Both or neither, and for mail alone: what a daemon signs for itself is nobody's sign-in, and nobody's session ends
  // with its name.
  const byDaemon = sub === daemonSubject && sid === daemonSession && type === "mail_access"
  if (!byDaemon && sid === daemonSession) return undefined
  const userId = byDaemon ? null : typeof sub === "string" ? Number(sub) : Number.NaN
  if (
    payload["type"] !== type ||
    !(userId === null || isId(userId)) ||
    !isId(tid) ||
    !isText(sid) ||
    !isText(jti) ||
    typeof exp !== "number"
  )
    return undefined
  if (type === "mail_access")
    return isText(email) ? { type, userId, tenantId: tid, session: sid, id: jti, expires: exp, email } : undefined
  if (userId === null || !roles.some((known) => known === role)) return undefined
  return { type, userId, tenantId: tid, session: sid, id: jti, expires: exp, role: role as Role }
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
