import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { inScope } from "#core/auth/Caller.ts"
import { Database } from "#core/sql/Database.ts"
import { Events } from "#core/events/Events.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { Jobs } from "#core/jobs/Jobs.ts"
import { Wake } from "#core/events/Wake.ts"
import { DnsVerifierApi } from "../Api.ts"
import { defaultLimit, skipped } from "../api/Bounds.ts"
import { DomainView } from "../api/Domains.ts"
import * as DomainChanges from "../data/DomainChanges.ts"
import * as Domains from "../data/Domains.ts"
import { domainName } from "../Names.ts"
import { Observer } from "../observe/Observer.ts"
import { Platform } from "../Platform.ts"
import { Sweep } from "../sweep/SweepShard.ts"
import { detected } from "../verify/Detected.ts"
import { domainView, notEmpty, ownerOf } from "./Common.ts"
import { onceAfter } from "./OnceAfter.ts"

export const domains = HttpApiBuilder.group(
  DnsVerifierApi,
  "dnsDomains",
  Effect.fn(function* (handlers) {
    const observer = yield* Observer
    const platform = yield* Platform
    const {
      settings: { dnsMinute }
    } = yield* Sweep
    yield* SqlClient.SqlClient
    yield* Database
    yield* Events
    yield* Jobs
    yield* Wake
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query: { limit = defaultLimit, skip = 0, ...filter } }) {
        return skipped(
          (yield* orUnavailable(inScope(Domains.list(filter, skip, limit + 1)))).map(domainView),
          skip,
          limit
        )
      }),
      show: Effect.fnUntraced(function* ({ params }) {
        return domainView(yield* orUnavailable(inScope(Domains.get(params.id))))
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const tenantId = yield* ownerOf(payload.tenant_id)
        const addresses = yield* platform.get
        const name = domainName(payload.name)
        return yield* orUnavailable(
          onceAfter({
            key: headers["idempotency-key"],
            endpoint: "dns.domains.create",
            body: payload,
            response: DomainView,
            before: detected(observer, name),
            create: ({ provider, zone }) =>
              Effect.map(
                DomainChanges.create(
                  {
                    tenantId,
                    customerId: payload.customer_id,
                    name,
                    providerId: payload.dns_provider_id ?? null,
                    detected: provider,
                    zone
                  },
                  addresses,
                  dnsMinute
                ),
                domainView
              )
          })
        )
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        yield* notEmpty(payload)
        return domainView(yield* orUnavailable(inScope(DomainChanges.update(params.id, payload))))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        return yield* orUnavailable(inScope(DomainChanges.remove(params.id)))
      })
    })
  })
)
