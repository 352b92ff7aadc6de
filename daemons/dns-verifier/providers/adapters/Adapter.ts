/**
 * Common interface of all DNS providers. Its unit is the record set; for providers with single records the adapter
 * groups and splits them. Names and contents are in the form of RecordSet.ts.
 */
import { type Effect, Schema } from "effect"
import type { RecordSet, Zone } from "../../record-sets/RecordSet.ts"

/** Failure of a provider call; `detail` is for the customer and contains no secret. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  reason: Schema.Literals([
    /** The provider rejects the credentials. */
    "unauthorized",
    /** The credentials are valid but read-only. */
    "read_only",
    "zone_not_found",
    /** The provider rejects this record. */
    "invalid",
    /** Another client changed the set or has locked the zone. */
    "conflict",
    /** `retryAfter` tells when to try again. */
    "rate_limited",
    /** No connection or no usable answer. A change may have been made or not. */
    "unavailable",
    /** The provider accepted the change, and then reported its failure. */
    "action_failed"
  ]),
  detail: Schema.String,
  /** Unit: milliseconds. */
  retryAfter: Schema.NullOr(Schema.Number)
}) {
  override get message() {
    return this.detail
  }
}

export interface Adapter {
  /** Checks the credentials and counts the zones they open. Changes nothing. */
  readonly test: Effect.Effect<{ readonly zones: number }, ProviderError>
  readonly zones: Effect.Effect<ReadonlyArray<Zone>, ProviderError>
  /** Reads all sets of the zone except those that only the provider may change (SOA and NS of the zone itself). */
  readonly read: (zone: Zone) => Effect.Effect<ReadonlyArray<RecordSet>, ProviderError>
  /**
   * Writes one set; null removes it. Returns when the provider confirms the change. Idempotent. `before`: the set as it
   * was read; fails with `conflict` when the contents differ by now, while a different TTL is ignored. With `ttl` null
   * an existing set keeps its TTL. Contents that exist already keep the provider's spelling.
   */
  readonly write: (
    zone: Zone,
    place: { readonly type: string; readonly name: string },
    before: RecordSet | null,
    after: RecordSet | null
  ) => Effect.Effect<void, ProviderError>
}
