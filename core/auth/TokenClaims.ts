/**
 * Claims of a user's token. The two kinds differ in `type` and audience, so that one is never accepted as the other.
 * Source: RFC 7519; the type names are those of interface document 1 §2.3.
 */
import type { JWTPayload } from "jose"
import { type Role, roles } from "./Roles.ts"

/** Issuer: one constant for all daemons that share a database, because they share its keys. */
export const issuer = "signalbox"

/** Audience of each kind. */
export const audienceOf = { access: "signalbox", mail_access: "mail" } as const
export type TokenType = keyof typeof audienceOf

/** Lifetime of a mail token. Unit: seconds. Source: interface document 1 §8. */
export const mailTokenLifetime = 3600

/**
 * Bounds of `SIGNALBOX_JWT_TTL`. Unit: seconds. Reason: ended sessions are remembered for as long as a token may live.
 */
export const accessLifetime = { min: 30, max: 86_400, default: 900 } as const

/**
 * How long an ended session is remembered. Unit: seconds. Reason: the longest token lifetime, plus clock differences.
 */
export const endedRemembered = accessLifetime.max + 300

/**
 * `sub` and `sid` of a token that a daemon signs for itself. It needs neither a user nor a session, because mailboxes
 * are watched while nobody is signed in.
 */
const daemonSubject = "daemon"
export const daemonSession = "daemon"

/**
 * Lifetime of a daemon's own mail token. Unit: seconds. Reason: it is used at once, and the connection stays open after
 * it expires.
 */
export const daemonTokenLifetime = 300

interface Common {
  readonly tenantId: number
  /** Session that issued the token; the token ends with it. In a daemon's own token: `daemonSession`. */
  readonly session: string
  readonly id: string
  /** Expiry in Unix seconds. */
  readonly expires: number
}

export interface AccessClaims extends Common {
  readonly type: "access"
  readonly userId: number
  readonly role: Role
  /** Language of the account (BCP 47), for texts of answers. Absent in tokens that former versions signed. */
  readonly locale?: string
  /** Time zone of the account (IANA), named as in OpenID Connect Core 1.0 §5.1. Absent when the account has none. */
  readonly zoneinfo?: string
}

export interface MailClaims extends Common {
  readonly type: "mail_access"
  /** Null when a daemon signs in to the mailbox for the platform. */
  readonly userId: number | null
  /** The mailbox address, in lower case. */
  readonly email: string
}

export type Claims = AccessClaims | MailClaims

/** Longest accepted token. Unit: characters. Reason: ours have about 370. */
export const maxTokenLength = 2048

/** The payload to sign. Pure. */
export const encode = (claims: Claims): JWTPayload => ({
  type: claims.type,
  iss: issuer,
  aud: audienceOf[claims.type],
  sub: claims.userId === null ? daemonSubject : String(claims.userId),
  tid: claims.tenantId,
  sid: claims.session,
  jti: claims.id,
  exp: claims.expires,
  ...(claims.type === "access"
    ? {
        role: claims.role,
        ...(claims.locale === undefined ? {} : { locale: claims.locale }),
        ...(claims.zoneinfo === undefined ? {} : { zoneinfo: claims.zoneinfo })
      }
    : { email: claims.email })
})

/**
 * Decodes the claims of a payload whose signature, issuer, audience and times were checked. Undefined unless every
 * claim is present and valid. Pure.
 */
export const decode = (payload: JWTPayload, type: TokenType): Claims | undefined => {
  const { email, exp, jti, locale, role, sid, sub, tid, zoneinfo } = payload
  // The daemon subject and the daemon session are valid only together, and only in a mail token: no user and no real
  // session may have these values.
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
  const claims: AccessClaims = { type, userId, tenantId: tid, session: sid, id: jti, expires: exp, role: role as Role }
  return { ...claims, ...(isText(locale) ? { locale } : {}), ...(isText(zoneinfo) ? { zoneinfo } : {}) }
}

/**
 * The payload of a token whose signature was not checked; undefined when it is no token. Only for the choice of words
 * in the answer to its sender, and for tokens that were verified before. Pure.
 */
export const payloadOf = (token: string): JWTPayload | undefined => {
  if (token.length > maxTokenLength) return undefined
  const [, payload, signature] = token.split(".", 3)
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString())
    return typeof claims === "object" && claims !== null ? { ...claims } : undefined
  } catch {
    return undefined
  }
}

/** The account's language in a token whose signature was not checked; undefined when it has none. */
export const claimedLocale = (token: string): string | undefined => {
  const { locale } = payloadOf(token) ?? {}
  return isText(locale) ? locale : undefined
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
