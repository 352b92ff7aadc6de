/** What the handlers of dns-verifier share. */
import { Effect } from "effect"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import { Forbidden } from "#core/http/Problem.ts"
import { invalid } from "../data/Change.ts"
import type { Domain } from "../data/Domains.ts"
import { ProviderFailed } from "../Errors.ts"
import { shownName } from "../Names.ts"
import type { ProviderError } from "../providers/Adapter.ts"

/** Whose the new thing is: the caller's, or of the tenant that a service token names. */
export const ownerOf = Effect.fnUntraced(function* (named: number | undefined) {
  const caller = yield* Caller
  const tenantId = named ?? tenantOf(caller)
  if (caller.kind === "user" && caller.tenantId !== tenantId)
    return yield* new Forbidden({ detail: "Only service tokens name another tenant." })
  return tenantId
})

/** Fails with 422 when a change names nothing. */
export const notEmpty = (payload: object) =>
  Object.keys(payload).length === 0 ? Effect.fail(invalid("payload", "must have one of its fields")) : Effect.void

export const iso = (at: Date | null): string | null => (at === null ? null : at.toISOString())

/** What a provider did not do, as it is answered. */
export const providerFailed = ({ detail, reason, retryAfter }: ProviderError) =>
  new ProviderFailed({ reason, detail, retry_after: retryAfter === null ? null : Math.ceil(retryAfter / 1000) })

/** A domain as it is answered. */
export const domainView = (row: Domain) => ({
  id: row.id,
  tenant_id: row.tenant_id,
  customer_id: row.customer_id,
  name: row.name,
  ...shownName(row.name),
  dns_provider_id: row.dns_provider_id,
  dns_status: row.dns_status,
  status: row.status,
  detected_provider: row.detected_provider,
  zone: row.zone,
  observed_at: iso(row.observed_at),
  verified_at: iso(row.verified_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString()
})
