/** What the walks do with each operation about domains, their records and checks. */
import { Effect } from "effect"
import { type Cases, type Ids, list, platformOnly, type Request, thing, type Who } from "#support/walk/Case.ts"
import type { Reply } from "#support/walk/Wire.ts"
import { isThat, made, nobody, type Seeds, shows } from "./Seeds.ts"

const base = "/api/v1/domains"

export const domainCases = ({ customerOf, domain, name, provider, record }: Seeds): Cases => {
  const of = (as: Who) => Effect.map(domain(as), ({ id }) => ({ id }))
  const never = { id: nobody }
  const isIt = ({ json }: Reply, { id }: { readonly id: number }) =>
    json.domain_id === undefined || json.domain_id === id ? undefined : `not ${id}`
  const about = (success: number, wrong = isIt) =>
    thing({ seed: of, never, request: ({ id }): Request => ({ path: { id }, query: {} }), success, wrong })
  const aboutRecord = (success: number, body?: (as: Who) => object) =>
    thing({
      seed: (as) => record(as),
      never: { id: nobody, record: "r2000000000" },
      request: ({ id, record }, as): Request => ({
        path: { id, record_id: record },
        ...(body === undefined ? {} : { body: body(as) })
      }),
      success,
      ...(success === 204
        ? {}
        : { wrong: ({ json }: Reply, ids: Ids) => (json.id === ids["record"] ? undefined : `not ${ids["record"]}`) })
    })
  const recordBody = (as: Who) => ({ type: "TXT", name: name(as).split(".")[0], content: as.mark, ttl: 600 })

  return {
    [`GET ${base}`]: list<any>({
      seed: (as) => Effect.map(of(as), (ids) => ({ ...ids, tenant: as.tenant, customer: customerOf(as) })),
      never: { id: nobody, tenant: nobody, customer: nobody },
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows,
      by: "id",
      naming: ({ customer, tenant }) => [
        { tenant_id: tenant },
        { customer_id: customer },
        { customer_id: customer, tenant_id: tenant, skip: 0 }
      ]
    }),
    [`POST ${base}`]: thing({
      seed: (as) => Effect.map(provider(as), ({ id }) => ({ provider: id, tenant: as.tenant })),
      never: { provider: nobody, tenant: nobody },
      request: ({ provider, tenant }, as) => ({
        body: { name: name(as), customer_id: customerOf(as), dns_provider_id: provider, tenant_id: tenant }
      }),
      success: 201,
      made
    }),
    [`GET ${base}/{id}`]: about(200, isThat),
    [`PUT ${base}/{id}`]: thing({
      seed: (as) =>
        Effect.all({ id: Effect.map(domain(as), ({ id }) => id), provider: Effect.map(provider(as), ({ id }) => id) }),
      never: { id: nobody, provider: nobody },
      request: ({ id, provider }, as) => ({
        path: { id },
        body: { customer_id: customerOf(as), dns_provider_id: provider }
      }),
      success: 200,
      wrong: isThat
    }),
    [`DELETE ${base}/{id}`]: about(200, isThat),
    [`POST ${base}/{id}/ownership/check`]: about(202, isThat),
    [`POST ${base}/{id}/assert`]: platformOnly("only the provider asserts ownership", {
      seed: of,
      never,
      request: ({ id }) => ({ path: { id } }),
      success: 200
    }),
    [`GET ${base}/{id}/dns-instructions`]: about(200),
    [`GET ${base}/{id}/check`]: about(200),
    [`POST ${base}/{id}/verify`]: about(200, isThat),

    [`GET ${base}/{id}/records`]: about(200, ({ json }, { id }) =>
      json.items.length > 3 && json.items.every((item: any) => item.domain_id === id) ? undefined : "not its records"
    ),
    [`POST ${base}/{id}/records`]: thing({
      seed: of,
      never,
      request: ({ id }, as) => ({ path: { id }, body: recordBody(as) }),
      success: 201,
      made
    }),
    [`GET ${base}/{id}/records/{record_id}`]: aboutRecord(200),
    [`PUT ${base}/{id}/records/{record_id}`]: aboutRecord(200, recordBody),
    [`DELETE ${base}/{id}/records/{record_id}`]: aboutRecord(204)
  }
}
