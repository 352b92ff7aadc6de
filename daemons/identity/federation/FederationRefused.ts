import { Schema } from "effect"

/** Reasons for refusing a sign-in through an OpenID provider. Also the kind in metrics, as `oidc_<reason>`. */
export const reasons = [
  /** The provider is not configured. */
  "unknown_provider",
  /** One client address has too many sign-ins in progress. */
  "too_many",
  /** The `state` is unknown: forged, or already used. */
  "state",
  "expired",
  /** The response arrived in a different browser than the one that started the sign-in. */
  "cookie",
  /** The response arrived at the callback of a different provider. */
  "provider",
  /** The response names another issuer. Source: RFC 9207 §2.4. */
  "issuer",
  "nonce",
  /** Invalid signature, algorithm, audience, issuer or time of the ID token. Source: OpenID Connect Core §3.1.3.7. */
  "id_token",
  /** The provider refused the code. */
  "code",
  "denied",
  "provider_error",
  "away",
  /** The user has no active account here. */
  "unknown_account",
  /** An account exists, but its owner must first connect it with the provider. */
  "connect_first",
  /** The account or the provider's user is already connected with another one. */
  "taken",
  /** The user who started connecting is no longer signed in. */
  "signed_out",
  /** The database does not answer. */
  "unavailable"
] as const

export type Reason = (typeof reasons)[number]

/** A refused sign-in. `detail` is for the log: no secrets, and no text from a provider. */
export class FederationRefused extends Schema.TaggedError<FederationRefused>()("FederationRefused", {
  reason: Schema.Literals(reasons),
  detail: Schema.optionalKey(Schema.String),
  /** The affected account, when known. */
  accountId: Schema.optionalKey(Schema.Number),
  tenantId: Schema.optionalKey(Schema.Number)
}) {
  override get message() {
    const detail = this.detail === undefined ? "" : ` (${this.detail})`
    return `sign-in through an external provider refused: ${this.reason}${detail}`
  }
}

/**
 * Whether the refusal indicates an attack. The excluded reasons are normal events or the user's own choice; they are
 * only counted.
 */
export const isSuspicious = (reason: Reason): boolean =>
  !["unknown_provider", "too_many", "expired", "denied", "provider_error", "away", "unavailable"].includes(reason)
