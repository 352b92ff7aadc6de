/** Refusals of calls about accounts at providers. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"
import type { ProviderError } from "./adapters/Adapter.ts"

/** 409: domains use the account; `domains` names at most twenty, `count` says how many there are. */
export class ProviderInUse extends HttpApiError.Problem<ProviderInUse>()(
  "ProviderInUse",
  declaration("in_use", 409, "Domains use this account"),
  {
    ...codeField("in_use"),
    count: Schema.Int,
    domains: Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String }))
  }
) {}

/** 409: this kind of provider has no interface that we speak. */
export class NoAdapter extends HttpApiError.Problem<NoAdapter>()(
  "NoAdapter",
  declaration("no_adapter", 409, "This kind of provider is not spoken to"),
  codeField("no_adapter")
) {}

/**
 * 502: the provider did not do what was asked; `reason` as in ProviderError, `retry_after` in seconds where it said so.
 */
export class ProviderFailed extends HttpApiError.Problem<ProviderFailed>()(
  "ProviderFailed",
  declaration("provider_failed", 502, "The DNS provider did not do this"),
  { ...codeField("provider_failed"), reason: Schema.String, retry_after: Schema.NullOr(Schema.Number) }
) {}

/** What a provider did not do, as it is answered. */
export const providerFailed = ({ detail, reason, retryAfter }: ProviderError) =>
  new ProviderFailed({ reason, detail, retry_after: retryAfter === null ? null : Math.ceil(retryAfter / 1000) })
