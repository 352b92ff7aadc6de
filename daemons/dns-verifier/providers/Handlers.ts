import { Effect } from "effect"
import { inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { InvalidRequest, orUnavailable } from "#core/http/Problem.ts"
import { defaultLimit, skipped } from "../domain-store/FieldSchemas.ts"
import { ProvidersApi, ProviderView } from "./Api.ts"
import { domainsInZones } from "./DomainsInZones.ts"
import * as Providers from "./AccountStore.ts"
import { credentialProblems } from "./AccountCredentials.ts"
import { ProviderError } from "./adapters/Adapter.ts"
import { Adapters } from "./Adapters.ts"
import { Credentials } from "./Credentials.ts"
import { hasAdapter, type ProviderType, providerTypes, types } from "../domain-store/ProviderTypes.ts"
import { iso, notEmpty, ownerOf } from "../domain-store/Requests.ts"
import { providerFailed } from "./Errors.ts"
import { NoAdapter } from "./Errors.ts"

/** Converts an account to the answer, without its credentials. */
const view = (row: Providers.Provider): typeof ProviderView.Type => ({
  ...row,
  tested_at: iso(row.tested_at),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString()
})

/** Checks the sent credentials; 422 for a problem. Undefined when there are none. */
const wellFormed = (type: ProviderType, sent: Readonly<Record<string, string>> | null | undefined) => {
  if (sent === null || sent === undefined) return Effect.succeed(undefined)
  if (types[type].credentials.length === 0 && Object.keys(sent).length === 0) return Effect.succeed(undefined)
  const errors = credentialProblems(type, sent).map(({ field, message }) => ({
    field: `payload.credentials.${field}`,
    message
  }))
  return errors.length === 0 ? Effect.succeed(sent) : Effect.fail(new InvalidRequest({ errors }))
}

export const providers = Handlers.group(
  ProvidersApi,
  "providers",
  Effect.fn(function* (handlers) {
    const adapters = yield* Adapters
    const credentials = yield* Credentials

    /** Reads an account and makes its adapter. */
    const opened = Effect.fnUntraced(function* (id: number) {
      const { account, envelope } = yield* orUnavailable(
        inScope(Effect.all({ account: Providers.get(id), envelope: Providers.envelope(id) }))
      )
      if (!hasAdapter(account.type))
        return yield* new NoAdapter({
          detail: `${types[account.type].title} has no adapter. Change its zones by hand.`
        })
      const adapter =
        envelope === null
          ? Effect.fail(
              new ProviderError({ reason: "unauthorized", detail: "The account has no credentials.", retryAfter: null })
            )
          : Effect.flatMap(credentials.open(id, envelope), (opened) => adapters.of(account.type, opened))
      return { account, envelope, adapter }
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { limit = defaultLimit, skip = 0, ...filter } }) {
        return skipped((yield* orUnavailable(inScope(Providers.list(filter, skip, limit + 1)))).map(view), skip, limit)
      }),
      types: () =>
        Effect.succeed({
          items: providerTypes.map((type) => ({
            type,
            title: types[type].title,
            has_adapter: types[type].hasAdapter,
            credentials: types[type].credentials
          }))
        }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(Providers.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload: { credentials: sent, is_default, ...payload } }) {
        const tenantId = yield* ownerOf(payload.tenant_id, payload.customer_id)
        const given = yield* wellFormed(payload.type, sent)
        const { envelope, id } = yield* orUnavailable(credentials.forNew(given))
        const { customer_id, name, type } = payload
        return yield* orUnavailable(
          Idempotency.once({
            key: headers["idempotency-key"],
            endpoint: "dns.providers.create",
            // The stored hash is too weak to protect credentials, so only their presence counts.
            body: { ...payload, is_default, credentials: given !== undefined },
            response: ProviderView,
            create: Effect.map(
              Providers.create({ id, tenant_id: tenantId, customer_id, name, type, is_default }, envelope),
              view
            )
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        yield* notEmpty(payload)
        const { credentials: sent, ...to } = payload
        const { type } = yield* orUnavailable(inScope(Providers.get(id)))
        const given = yield* wellFormed(type, sent)
        const envelope =
          sent === undefined ? undefined : given === undefined ? null : yield* credentials.seal(id, given)
        return view(yield* orUnavailable(inScope(Providers.update(id, to, envelope))))
      }),
      remove: Effect.fnUntraced(function* ({ params, query }) {
        yield* orUnavailable(inScope(Providers.remove(params.id, query.force === "true")))
      }),
      test: Effect.fnUntraced(function* ({ params: { id } }) {
        const { adapter, envelope } = yield* opened(id)
        const outcome = yield* Effect.match(
          Effect.flatMap(adapter, ({ test }) => test),
          {
            onFailure: ({ detail, reason }) => ({
              ok: false,
              zones: null,
              reason: reason as string | null,
              problem: detail as string | null
            }),
            onSuccess: ({ zones }) => ({ ok: true, zones, reason: null, problem: null })
          }
        )
        if (envelope !== null) yield* orUnavailable(inScope(Providers.tested(id, envelope, outcome.problem)))
        return { ...outcome, tested_at: new Date().toISOString() }
      }),
      zones: Effect.fnUntraced(function* ({ params: { id } }) {
        const { account, adapter } = yield* opened(id)
        const found = yield* Effect.mapError(
          Effect.flatMap(adapter, ({ zones }) => zones),
          providerFailed
        )
        const domainsIn = yield* orUnavailable(inScope(domainsInZones(account, found)))
        return { items: found.map((zone) => ({ id: zone.id, name: zone.name, domains: domainsIn.get(zone.id) ?? [] })) }
      })
    })
  })
)
