/** Walks over every operation of mail-admin, as two tenants and with invalid input. */
import { Effect } from "effect"
import { emitCustomer } from "#support/CustomerEvents.ts"
import { type Cases, list, platformOnly, type Request, thing, type Who } from "#support/walk/Case.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { distinctIds, fakeCallers, walked } from "#support/walk/Walked.ts"
import { callsOf, password, startAdmin } from "./Admin.ts"
import { appPasswordCases } from "./walk/AppPasswordCases.ts"
import { autoconfigCases, banCases } from "./walk/PolicyCases.ts"

const never = { id: 2_000_000_000 }

const casesOf = (suite: TestSuite, token: string): Cases => {
  let count = 0
  const word = (as: Who) => `${as.mark.toLowerCase()}-${count++}`
  const domain = (as: Who) =>
    Effect.map(callsOf(suite, { headers: { ...as.headers } }).domain(`${word(as)}.test`), ({ id }) => ({
      id: id as number
    }))
  const account = (as: Who) =>
    Effect.flatMap(domain(as), ({ id }) =>
      Effect.map(callsOf(suite, { headers: { ...as.headers } }).account(id, word(as)), (made) => ({
        id: made.id as number,
        domain: id
      }))
    )
  const alias = (as: Who) =>
    Effect.flatMap(domain(as), ({ id }) =>
      Effect.map(
        callsOf(suite, { headers: { ...as.headers } }).alias(id, word(as), `${word(as)}@far.test`),
        (made) => ({ id: made.id as number, domain: id })
      )
    )
  const waiting = Effect.fnUntraced(function* (as: Who) {
    const made = yield* domain(as)
    yield* callsOf(suite, { headers: { ...as.headers } }).post(`domains/${made.id}/dkim/rotate`)
    return made
  })
  const shows = ({ json }: { readonly json: any }) => json.items.map((item: { readonly id: number }) => item.id)
  const isThat = ({ json }: { readonly json: any }, { id }: { readonly id: number }) =>
    json.id === id ? undefined : `not ${id}`
  const about = (
    seed: (as: Who) => Effect.Effect<{ readonly id: number }, unknown>,
    success: number,
    body?: (as: Who) => object
  ) =>
    thing({
      seed: (as) => Effect.map(seed(as), ({ id }) => ({ id })),
      never,
      request: ({ id }, as): Request => ({ path: { id }, ...(body === undefined ? {} : { body: body(as) }) }),
      success
    })
  const made = ({ json }: { readonly json: any }) => json.id
  /** Lists inside a domain: B lists its own domain, which contains nothing of A. */
  const inDomain = (seed: (as: Who) => Effect.Effect<{ readonly id: number; readonly domain: number }, unknown>) =>
    thing({
      seed: (as) => Effect.map(seed(as), ({ domain }) => ({ id: domain })),
      never,
      request: ({ id }) => ({ path: { id } }),
      success: 200,
      wrong: ({ json }) => (json.items.length === 1 ? undefined : "not its one")
    })
  const base = "/api/v1/mail"
  return {
    [`GET ${base}/domains`]: list({
      seed: domain,
      never,
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows,
      by: "id",
      naming: ({ id }) => [{ before: id }]
    }),
    [`POST ${base}/domains`]: thing({
      seed: (as) => Effect.succeed({ tenant: as.tenant }),
      never: { tenant: 2_000_000_000 },
      request: ({ tenant }, as) => ({ body: { domain: `${word(as)}.test`, customer_id: 5, tenant_id: tenant } }),
      success: 201,
      made
    }),
    [`GET ${base}/domains/{id}`]: { ...about(domain, 200), wrong: isThat },
    [`DELETE ${base}/domains/{id}`]: thing({
      seed: (as) => Effect.map(account(as), ({ domain }) => ({ id: domain })),
      never,
      request: ({ id }) => ({ path: { id }, query: { force: "true" } }),
      success: 204
    }),
    [`POST ${base}/domains/{id}/ownership/check`]: { ...about(domain, 202), wrong: isThat },
    [`POST ${base}/domains/{id}/assert`]: platformOnly("the provider asserts what a tenant has to prove", {
      seed: domain,
      request: ({ id }) => ({ path: { id } }),
      success: 200
    }),
    [`POST ${base}/domains/{id}/dkim/rotate`]: { ...about(domain, 200), wrong: isThat },
    [`POST ${base}/domains/{id}/dkim/{selector}/activate`]: thing({
      seed: (as) => waiting(as),
      never,
      request: ({ id }) => ({ path: { id, selector: "mail2" } }),
      success: 200,
      wrong: isThat
    }),
    [`GET ${base}/domains/{id}/accounts`]: inDomain(account),
    [`POST ${base}/domains/{id}/accounts`]: {
      ...about(domain, 201, (as) => ({ local_part: word(as), password, quota_mb: 10, user_id: 9 })),
      made
    } as never,
    [`GET ${base}/accounts/{id}`]: { ...about(account, 200), wrong: isThat },
    [`PUT ${base}/accounts/{id}`]: { ...about(account, 200, () => ({ password, quota_mb: 20 })), wrong: isThat },
    [`DELETE ${base}/accounts/{id}`]: about(account, 204),
    [`POST ${base}/accounts/{id}/suspend`]: { ...about(account, 200), wrong: isThat },
    [`POST ${base}/accounts/{id}/unsuspend`]: { ...about(account, 200), wrong: isThat },
    [`GET ${base}/domains/{id}/aliases`]: inDomain(alias),
    [`POST ${base}/domains/{id}/aliases`]: {
      ...about(domain, 201, (as) => ({ source: word(as), destination: `${word(as)}@far.test` })),
      made
    } as never,
    [`GET ${base}/aliases/{id}`]: { ...about(alias, 200), wrong: isThat },
    [`DELETE ${base}/aliases/{id}`]: about(alias, 204),
    ...appPasswordCases(suite, (as) => Effect.map(account(as), ({ id }) => id)),
    ...banCases(suite, token),
    ...autoconfigCases(suite, (as) => Effect.map(domain(as), ({ id }) => id))
  }
}

walked(
  "mail-admin",
  Effect.gen(function* () {
    const suite = yield* startAdmin()
    yield* distinctIds(suite, "mail_admin", ["domain.id"])
    yield* emitCustomer(suite, "mail_admin", { customer_id: 700_001, tenant_id: 7 })
    yield* suite.sql`insert into mail_admin.known_user (user_id, tenant_id, email, state, version)
      values (700001, 7, 'seed@elsewhere.test', 'active', 1)`
    return { suite, schema: "mail_admin", cases: casesOf(suite, yield* suite.token), ...(yield* fakeCallers(suite)) }
  })
)
