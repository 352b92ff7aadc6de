/** What the walks do with each operation about accounts and plans. */
import { Effect } from "effect"
import { type Cases, list, own, type Request, thing, type Who } from "#support/walk/Case.ts"
import type { Reply } from "#support/walk/Wire.ts"
import { isThat, made, nobody, type Seeds, shows } from "./Seeds.ts"

const providers = "/api/v1/dns-providers"
const domains = "/api/v1/domains/{id}"
const noPlan = "00000000-0000-4000-8000-000000000000"

export const zoneCases = ({ customerOf, managed, plan, powerDns, provider, record }: Seeds): Cases => {
  const of = (as: Who) => Effect.map(provider(as), ({ id }) => ({ id }))
  const never = { id: nobody }
  const account = (success: number) =>
    thing({
      seed: of,
      never,
      request: ({ id }): Request => ({ path: { id } }),
      success,
      ...(success === 204 ? {} : { wrong: isThat })
    })
  const aboutPlan = (success: number, body?: object) =>
    thing({
      seed: plan,
      never: { id: nobody, plan: noPlan },
      request: ({ id, plan }): Request => ({ path: { id, plan_id: plan }, ...(body === undefined ? {} : { body }) }),
      success,
      wrong: ({ json }: Reply, { plan }) => (json.id === plan ? undefined : `not ${plan}`)
    })

  return {
    [`GET ${providers}`]: list<any>({
      seed: (as) => Effect.map(of(as), (ids) => ({ ...ids, tenant: as.tenant, customer: customerOf(as) })),
      never: { id: nobody, tenant: nobody, customer: nobody },
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows,
      by: "id",
      naming: ({ customer, tenant }) => [
        { tenant_id: tenant },
        { customer_id: customer },
        { customer_id: customer, skip: 0 }
      ]
    }),
    [`GET ${providers}/types`]: own("the same for everybody", { success: 200 }),
    [`POST ${providers}`]: thing({
      seed: (as) => Effect.succeed({ tenant: as.tenant }),
      never: { tenant: nobody },
      request: ({ tenant }, as) => ({
        body: {
          customer_id: customerOf(as),
          name: as.mark,
          type: "provider_e",
          credentials: powerDns,
          is_default: false,
          tenant_id: tenant
        }
      }),
      success: 201,
      made
    }),
    [`GET ${providers}/{id}`]: account(200),
    [`PUT ${providers}/{id}`]: thing({
      seed: (as) => Effect.map(provider(as, "provider_e"), ({ id }) => ({ id })),
      never,
      request: ({ id }, as) => ({ path: { id }, body: { name: as.mark, credentials: powerDns, is_default: true } }),
      success: 200,
      wrong: isThat
    }),
    [`DELETE ${providers}/{id}`]: account(204),
    [`POST ${providers}/{id}/test`]: {
      ...account(200),
      wrong: ({ json }: Reply) => (json.ok === true ? undefined : `does not work: ${json.problem}`)
    },
    [`GET ${providers}/{id}/zones`]: { ...account(200), wrong: undefined } as never,

    [`POST ${domains}/plan`]: thing({
      seed: (as) => Effect.flatMap(managed(as), (id) => record(as, id)),
      never: { id: nobody, record: "r2000000000" },
      request: ({ id, record }) => ({ path: { id }, body: { remove: [record] } }),
      success: 201,
      made
    }),
    [`GET ${domains}/plans`]: thing({
      seed: (as) => Effect.map(plan(as), ({ id }) => ({ id })),
      never,
      request: ({ id }): Request => ({ path: { id }, query: { limit: 200 } }),
      success: 200,
      wrong: ({ json }: Reply) => (json.items.length === 1 ? undefined : "not its plans")
    }),
    [`GET ${domains}/plans/{plan_id}`]: aboutPlan(200),
    [`POST ${domains}/plans/{plan_id}/apply`]: aboutPlan(202, { force: true }),
    [`POST ${domains}/plans/{plan_id}/discard`]: aboutPlan(200)
  }
}
