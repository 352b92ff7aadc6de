/**
 * Verifies users' tokens of one kind. The signature of a token is checked once and cached. Expiry, validity of its key
 * and end of its session are checked every time. Plain functions, because the fast lane calls them.
 */
import { type CryptoKey, decodeProtectedHeader, jwtVerify, type JWTVerifyOptions } from "jose"
import { memory } from "../lane/Remembering.ts"
import { algorithm, type Standing } from "./Standing.ts"
import { audienceOf, type Claims, decode, issuer, maxTokenLength, type TokenType } from "./TokenClaims.ts"

/**
 * Maximum number of cached tokens. Reason: about 1 KB each. Only tokens signed by us are cached, so a flood of forged
 * tokens cannot fill it.
 */
const remembered = 20_000

/**
 * Maximum number of cached token headers. Reason: a key has one header; a forged header with a known key id is evicted
 * soon.
 */
const rememberedHeaders = 16

/** Tolerated clock difference between two hosts. Unit: seconds. Applies to the time of issue, never to the expiry. */
const clockTolerance = 5

/** A verifier that returns a value made from the claims, once per token. */
export interface TokenVerifier<Made extends object> {
  /**
   * Looks the token up in the cache. Returns the made value when all checks pass at `now` (epoch milliseconds).
   * Undefined: the signature is not checked yet. False: the token is known to be invalid.
   */
  readonly known: (token: string, now: number) => Made | undefined | false
  /**
   * Verifies the token completely. Returns the made value, or the reason for the refusal (for logs and metrics, never
   * for the caller). Never rejects.
   */
  readonly verify: (token: string, now: number) => Promise<Made | Refusal>
}

/** Reasons for refusing a token. */
export const refusals = ["malformed", "unknown_key", "bad_signature", "wrong_type", "expired", "session_ended"] as const
export type Refusal = (typeof refusals)[number]

/** Whether the refusal indicates a forged token. An expired token and an ended session are normal. */
export const isForged = (refusal: Refusal): boolean => refusal !== "expired" && refusal !== "session_ended"

export const isRefusal = (outcome: object | Refusal): outcome is Refusal => typeof outcome === "string"

/** Creates a verifier. The caller keeps `standing` fresh. */
export const make = <Type extends TokenType, Made extends object>(
  type: Type,
  standing: Standing["Service"],
  from: (claims: Extract<Claims, { readonly type: Type }>) => Made
): TokenVerifier<Made> => {
  const checked = memory<string, { readonly claims: Claims; readonly kid: string; readonly made: Made }>(remembered)
  const options: JWTVerifyOptions = {
    algorithms: [algorithm],
    issuer,
    audience: audienceOf[type],
    // `decode` checks which claims are present.
    clockTolerance
  }

  const stands = (claims: Claims, kid: string, now: number): Refusal | undefined =>
    claims.expires * 1000 <= now
      ? "expired"
      : standing.hasEnded(claims.session)
        ? "session_ended"
        : standing.key(kid, now) === undefined
          ? "unknown_key"
          : undefined

  // All tokens of a key start with the same header, so its key is cached by the header text.
  const signers = memory<string, Signer>(rememberedHeaders)
  const headerOf = (token: string) => token.slice(0, token.indexOf("."))

  const signerOf = (token: string, now: number): Signer | undefined => {
    const held = signers.get(headerOf(token))
    return held !== undefined && standing.key(held.kid, now) !== undefined ? held : undefined
  }

  /** Finds the key of a token. Throws jose's error for an invalid header. */
  const readSigner = async (token: string, now: number): Promise<Signer | undefined> => {
    const { kid } = decodeProtectedHeader(token)
    const found = typeof kid === "string" ? standing.key(kid, now) : undefined
    if (found === undefined) return undefined
    const signer = { kid: found.kid, key: await found.key }
    signers.set(headerOf(token), signer)
    return signer
  }

  return {
    known: (token, now) => {
      const held = checked.get(token)
      if (held === undefined) return undefined
      return stands(held.claims, held.kid, now) === undefined ? held.made : false
    },
    verify: async (token, now) => {
      if (token.length > maxTokenLength || token === "") return "malformed"
      try {
        const signer = signerOf(token, now) ?? (await readSigner(token, now))
        if (signer === undefined) return "unknown_key"
        const { payload } = await jwtVerify(token, signer.key, options)
        const claims = decode(payload, type)
        if (claims === undefined) return "wrong_type"
        const wrong = stands(claims, signer.kid, now)
        if (wrong !== undefined) return wrong
        const made = from(claims as never)
        checked.set(token, { claims, kid: signer.kid, made })
        return made
      } catch (error) {
        return refusalOf(error)
      }
    }
  }
}

/** A key ready for verification. */
interface Signer {
  readonly kid: string
  readonly key: CryptoKey
}

/** Maps jose's errors to reasons. Source: jose, `code` of its errors. */
const refusalOf = (error: unknown): Refusal => {
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
