/**
 * Verifies users' tokens of one kind. A token's signature is checked once and remembered; whether it has expired, its
 * key is still held and its session still stands is looked at each time. Plain functions, because the hot answers call
 * them.
 */
import { type CryptoKey, decodeProtectedHeader, jwtVerify, type JWTVerifyOptions } from "jose"
import { memory } from "../lane/Remembering.ts"
import { algorithm, type Standing } from "./Standing.ts"
import { audienceOf, type Claims, decode, issuer, type TokenType } from "./TokenClaims.ts"

/**
 * Verified tokens remembered. Unit: tokens. Reason: about 1 KB each; only tokens we signed get in, so a flood of others
 * cannot fill it.
 */
const remembered = 20_000

/**
 * Headers whose key is remembered. Unit: headers. Reason: a key has one; what a stranger writes around a known key id
 * is forgotten soon.
 */
const rememberedHeaders = 16

/** Longest token looked at. Unit: characters. Reason: ours have some 350; longer ones cost without being ours. */
export const maxTokenLength = 2048

/** How far the clocks of two hosts may differ. Unit: seconds. Applies to the time of issue, never to the expiry. */
const clockTolerance = 5

/** A verifier that answers what its user makes of the claims, made once for each token. */
export interface TokenVerifier<Made extends object> {
  /**
   * What was made of the claims, when the signature was checked before and everything else holds at `now` (epoch
   * milliseconds); undefined when the signature is still to be checked, false when it is known to be good for nothing.
   */
  readonly known: (token: string, now: number) => Made | undefined | false
  /**
   * Checks everything; what is made of the claims, or why not (for logs and counters, never for the caller). Never
   * rejects.
   */
  readonly verify: (token: string, now: number) => Promise<Made | Refusal>
}

/** Why a token is refused. */
export const refusals = ["malformed", "unknown_key", "bad_signature", "wrong_type", "expired", "session_ended"] as const
export type Refusal = (typeof refusals)[number]

/** Whether nobody of ours can have made the token: a try to get in. The other refusals are what happens every day. */
export const isForged = (refusal: Refusal): boolean => refusal !== "expired" && refusal !== "session_ended"

export const isRefusal = (outcome: object | Refusal): outcome is Refusal => typeof outcome === "string"

/** A verifier on a picture which its caller keeps fresh. */
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
    // Which claims have to be there is `decode`'s to say.
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

  // All tokens of one key begin with the same header, so it need not be read each time to find the key.
  const signers = memory<string, Signer>(rememberedHeaders)
  const headerOf = (token: string) => token.slice(0, token.indexOf("."))

  const signerOf = (token: string, now: number): Signer | undefined => {
    const held = signers.get(headerOf(token))
    return held !== undefined && standing.key(held.kid, now) !== undefined ? held : undefined
  }

  /** Throws what jose throws at a header that is none. */
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

/** A key that is ready to verify with. */
interface Signer {
  readonly kid: string
  readonly key: CryptoKey
}

/** What jose's errors mean here. Source: jose, `code` of its errors. */
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
