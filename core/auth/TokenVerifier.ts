/**
 * Verifies users' tokens of one kind. A token's signature is checked once and remembered; whether it has expired, its key is
 * still held and its session still stands is looked at each time. Plain functions, because the hot answers call them.
 */
import { jwtVerify, type JWTVerifyOptions } from "jose"
import { LRUCache } from "lru-cache"
import { algorithm, type Standing } from "./Standing.ts"
import { audienceOf, type Claims, decode, issuer, type TokenType } from "./TokenClaims.ts"

/** Verified tokens remembered. Unit: tokens. Reason: about 1 KB each; only tokens we signed get in, so a flood of others cannot fill it. */
const remembered = 20_000

/** Longest token looked at. Unit: characters. Reason: ours have some 350; longer ones cost without being ours. */
export const maxTokenLength = 2048

/** How far the clocks of two hosts may differ. Unit: seconds. Applies to the time of issue, never to the expiry. */
const clockTolerance = 5

export interface TokenVerifier {
  /**
   * The claims, when the signature was checked before and everything else holds at `now` (epoch milliseconds); undefined
   * when the signature is still to be checked, false when it is known to be good for nothing.
   */
  readonly known: (token: string, now: number) => Claims | undefined | false
  /** Checks everything; the claims, or why not (for logs and counters, never for the caller). Never rejects. */
  readonly verify: (token: string, now: number) => Promise<Claims | Refusal>
}

/** Why a token is refused. */
export type Refusal = "malformed" | "unknown_key" | "bad_signature" | "wrong_type" | "expired" | "session_ended"

export const isRefusal = (outcome: Claims | Refusal): outcome is Refusal => typeof outcome === "string"

/** A verifier on a picture which its caller keeps fresh. */
export const make = (type: TokenType, standing: Standing["Service"]): TokenVerifier => {
  const checked = new LRUCache<string, { readonly claims: Claims; readonly kid: string }>({ max: remembered })
  const options: JWTVerifyOptions = {
    algorithms: [algorithm],
    issuer,
    audience: audienceOf[type],
    clockTolerance,
    requiredClaims: ["exp", "sub", "jti"]
  }

  const stands = (claims: Claims, kid: string, now: number): Refusal | undefined =>
    claims.expires * 1000 <= now
      ? "expired"
      : standing.hasEnded(claims.session)
      ? "session_ended"
      : standing.key(kid, now) === undefined
      ? "unknown_key"
      : undefined

  return {
    known: (token, now) => {
      const held = checked.get(token)
      if (held === undefined) return undefined
      return stands(held.claims, held.kid, now) === undefined ? held.claims : false
    },
    verify: async (token, now) => {
      if (token.length > maxTokenLength || token === "") return "malformed"
      let kid = ""
      try {
        const { payload } = await jwtVerify(token, (header) => {
          kid = typeof header.kid === "string" ? header.kid : ""
          const found = standing.key(kid, now)
          if (found === undefined) throw new UnknownKey()
          return found.key
        }, options)
        const claims = decode(payload, type)
        if (claims === undefined) return "wrong_type"
        const wrong = stands(claims, kid, now)
        if (wrong !== undefined) return wrong
        checked.set(token, { claims, kid })
        return claims
      } catch (error) {
        return refusalOf(error)
      }
    }
  }
}

class UnknownKey extends Error {}

/** What jose's errors mean here. Source: jose, `code` of its errors. */
const refusalOf = (error: unknown): Refusal => {
  if (error instanceof UnknownKey) return "unknown_key"
  switch ((error as { readonly code?: string }).code) {
    case "ERR_JWT_EXPIRED":
      return "expired"
    case "ERR_JWT_CLAIM_VALIDATION_FAILED":
      return "wrong_type"
    case "ERR_JWS_SIGNATURE_VERIFICATION_FAILED":
    case "ERR_JOSE_ALG_NOT_ALLOWED":
      return "bad_signature"
    default:
      return "malformed"
  }
}
