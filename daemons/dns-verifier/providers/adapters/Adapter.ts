/**
 * What a DNS provider does for us, whichever it is. Record sets are the unit: providers that keep single records have
 * theirs put together by the adapter. Names and contents have one form on this side of an adapter, whatever the
 * provider writes.
 */
import { type Effect, Schema } from "effect"
import type { RecordSet, Zone } from "../../record-sets/RecordSet.ts"

/** Why a provider did not do what was asked; `detail` is for the customer and holds no secret. */
export class ProviderError extends Schema.TaggedError<ProviderError>()("ProviderError", {
  reason: Schema.Literals([
    /** The credentials are not taken. */
    "unauthorized",
    /** They are taken, but may only read. */
    "read_only",
    "zone_not_found",
    /** The provider does not take this record. */
    "invalid",
    /** Somebody else changed the set meanwhile, or holds the zone. */
    "conflict",
    /** `retryAfter` says when there is room again. */
    "rate_limited",
    /** Not reached, or an answer that says nothing: whether a change was made is not known. */
    "unavailable",
    /** The provider took the change and then said that it failed. */
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
  /** Whether the credentials are taken, and how many zones they open. Changes nothing. */
  readonly test: Effect.Effect<{ readonly zones: number }, ProviderError>
  readonly zones: Effect.Effect<ReadonlyArray<Zone>, ProviderError>
  /** Every set of the zone but what the provider alone may change (SOA, NS of the zone itself). */
  readonly read: (zone: Zone) => Effect.Effect<ReadonlyArray<RecordSet>, ProviderError>
  /**
   * Makes one set what it should be; null removes it. Answers once the provider says that it is so. Idempotent:
   * repeating it changes nothing. `before`: the set as it was read; when another one is there by now, `conflict`. TTLs
   * take no part in that: they are nobody's data. `ttl` null in `after`: a set that is there keeps its own. Contents of
   * `after` that are there stay as the provider has them.
   */
  readonly write: (
    zone: Zone,
    place: { readonly type: string; readonly name: string },
    before: RecordSet | null,
    after: RecordSet | null
  ) => Effect.Effect<void, ProviderError>
}
