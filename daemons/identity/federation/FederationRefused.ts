import { Schema } from "effect"

/**
 * Why somebody who came by an outside provider was not let in; also the kind under which it is counted,
 * `oidc_<reason>`.
 */
export const reasons = [
  /** There is no such provider here. */
  "unknown_provider",
  /** One address has too many ways out open. */
  "too_many",
  /** The answer belongs to no way out: made up, or already used. */
  "state",
  "expired",
  /** It came back to another browser than the one that left. */
  "cookie",
  /** It came back to the address of another provider than the one that was asked. */
  "provider",
  /** It names another issuer. Source: RFC 9207 §2.4. */
  "issuer",
  "nonce",
  /** Signature, algorithm, audience, issuer or time of the ID token. Source: OpenID Connect Core §3.1.3.7. */
  "id_token",
  /** The provider did not take the code. */
  "code",
  "denied",
  "provider_error",
  "away",
  /** No active account here is this person's. */
  "unknown_account",
  /** There is an account, which its owner has to connect with the provider first. */
  "connect_first",
  /** What was to be connected already is, otherwise. */
  "taken",
  /** Who began to connect is not signed in any more. */
  "signed_out",
  /** Our database does not answer. */
  "unavailable"
] as const

export type Reason = (typeof reasons)[number]

/** No sign-in. `detail` is for the log: no secret, and nothing that a provider wrote. */
export class FederationRefused extends Schema.TaggedError<FederationRefused>()("FederationRefused", {
  reason: Schema.Literals(reasons),
  detail: Schema.optionalKey(Schema.String),
  /** Whom it concerns, where that is known. */
  accountId: Schema.optionalKey(Schema.Number),
  tenantId: Schema.optionalKey(Schema.Number)
}) {
  override get message() {
    return `sign-in through an outside provider refused: ${this.reason}${this.detail === undefined ? "" : ` (${this.detail})`}`
  }
}

/** What happens to everybody, or what its owner chose: counted, and no try to get in. */
export const isTry = (reason: Reason): boolean =>
  !["unknown_provider", "too_many", "expired", "denied", "provider_error", "away", "unavailable"].includes(reason)
