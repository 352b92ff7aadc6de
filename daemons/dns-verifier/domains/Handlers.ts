import { Effect } from "effect"
import { Caller, inScope } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import * as Handlers from "#core/http/Handlers.ts"
import { Forbidden, orUnavailable } from "#core/http/Problem.ts"
import { mayAssert } from "#core/ownership/NameClaims.ts"
import { transaction } from "#core/sql/Sql.ts"
import { note } from "../domain-store/AuditNote.ts"
import { defaultLimit, skipped } from "../domain-store/FieldSchemas.ts"
import * as DomainChanges from "./DomainChanges.ts"
import * as Domains from "../domain-store/Domains.ts"
import { domainName } from "../domain-store/Names.ts"
import { Platform } from "../domain-store/Platform.ts"
import { notEmpty, ownerOf } from "../domain-store/Requests.ts"
import { DomainView, domainView } from "../domain-store/DomainView.ts"
import { DomainsApi } from "./Api.ts"
import { Observer, detectProvider, Sweep } from "../verification/Exports.ts"

export const domains = Handlers.group(
  DomainsApi,
  "dnsDomains",
  Effect.fn(function* (handlers) {
    const observer = yield* Observer
    const platform = yield* Platform
    const view = (row: Domains.Domain) => domainView(platform.missing)(row)
    const {
      settings: { dnsMinute }
    } = yield* Sweep
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { limit = defaultLimit, skip = 0, ...filter } }) {
        return skipped((yield* orUnavailable(inScope(Domains.list(filter, skip, limit + 1)))).map(view), skip, limit)
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(Domains.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const tenantId = yield* ownerOf(payload.tenant_id, payload.customer_id)
        const name = domainName(payload.name)
        const isAsserted = mayAssert(yield* Caller)
        return yield* orUnavailable(
          Idempotency.onceAfter({
            key: headers["idempotency-key"],
            endpoint: "dns.domains.create",
            body: payload,
            response: DomainView,
            before: detectProvider(observer, name),
            create: ({ provider, zone }) =>
              Effect.map(
                DomainChanges.create(
                  {
                    tenantId,
                    customerId: payload.customer_id,
                    name,
                    providerId: payload.dns_provider_id ?? null,
                    detected: provider,
                    zone,
                    isAsserted
                  },
                  platform.addresses,
                  dnsMinute
                ),
                view
              )
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        yield* notEmpty(payload)
        return view(yield* orUnavailable(inScope(DomainChanges.update(params.id, payload))))
      }),
      checkOwnership: Effect.fnUntraced(function* ({ params }) {
        return view(yield* orUnavailable(inScope(DomainChanges.checkOwnership(params.id))))
      }),
      assert: Effect.fnUntraced(function* ({ params }) {
        if (!mayAssert(yield* Caller))
          return yield* new Forbidden({ detail: "Only the provider may assert the ownership of a domain." })
        // The provider asserts domains of every tenant.
        return view(
          yield* orUnavailable(
            transaction(
              DomainChanges.assert(params.id, (domain) =>
                note("domain", domain, "proven", { name: domain.name, by: "assertion" })
              )
            )
          )
        )
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        return yield* orUnavailable(inScope(DomainChanges.remove(params.id)))
      })
    })
  })
)
