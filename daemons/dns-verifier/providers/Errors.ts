/** Refusals of calls about accounts at providers. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"
import type { ProviderError } from "./adapters/Adapter.ts"

/** 409: domains use the account; `domains` names at most twenty of them, `count` is their number. */
export class ProviderInUse extends HttpApiError.Problem<ProviderInUse>()(
  "ProviderInUse",
  declaration("in_use", 409, "Domains use this account"),
  {
    ...codeField("in_use"),
    count: Schema.Int,
    domains: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String }))
  }
) {}

/** 409: we have no adapter for this type of provider. */
export class NoAdapter extends HttpApiError.Problem<NoAdapter>()(
  "NoAdapter",
  declaration("no_adapter", 409, "This provider type has no adapter"),
  codeField("no_adapter")
) {}

/** 502: the provider failed; `reason` as in ProviderError, `retry_after` in seconds if the provider named a time. */
export class ProviderFailed extends HttpApiError.Problem<ProviderFailed>()(
  "ProviderFailed",
  declaration("provider_failed", 502, "The DNS provider refused or failed"),
  { ...codeField("provider_failed"), reason: Schema.String, retry_after: Schema.NullOr(Schema.Number) }
) {}

/** Converts a provider's error to the answer. */
export const providerFailed = ({ detail, reason, retryAfter }: ProviderError) =>
  new ProviderFailed({ reason, detail, retry_after: retryAfter === null ? null : Math.ceil(retryAfter / 1000) })
