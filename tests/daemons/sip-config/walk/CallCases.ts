/** Walk cases of calls and customers. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { until } from "#support/Frame.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { type Cases, list, type Request, thing, type Who } from "#support/walk/Case.ts"

export const callCases = (suite: TestSuite): Cases => {
  let count = 0
  const number = (as: Who) => `${as.mark}-${++count}`
  const never = { id: 2_000_000_000 }
  const base = "/api/v1/crm/customers"
  const ask = (as: Who, method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    suite.call(method, base + path, { of: "sip-config", headers: { ...as.headers, ...headers }, body })
  const whole = (as: Who) => ({
    number: number(as),
    name: as.mark,
    locale: "de",
    email: `${as.mark.toLowerCase()}@a.test`,
    phones: [`+4930${1_000_000 + ++count}`]
  })
  const customer = (as: Who) =>
    Effect.map(ask(as, "POST", "", whole(as)), ({ json }) => ({ id: json.id as number, number: json.number as string }))
  const csv = { "content-type": "text/csv" }
  const file = (as: Who) => `number,name\n${number(as)},${as.mark}\n`
  const taken = (as: Who) =>
    Effect.gen(function* () {
      const { json } = yield* ask(as, "POST", "/imports", file(as), csv)
      yield* until(
        "the file is through",
        Effect.map(
          suite.sql`select 1 from sip_config.customer_import where id = ${json.id} and state = 'finished'`,
          ({ length }) => length === 1
        )
      )
      return { id: json.id as number }
    })
  const call = (as: Who) =>
    Effect.gen(function* () {
      const id = randomUUID()
      const { id: known } = yield* customer(as)
      const [row] = yield* suite.sql<{
        seq: number
      }>`insert into sip_config.call (id, tenant_id, direction, caller_id, did_number, extension, customer_id, state, started_at, ended_at, cause)
        values (${id}, ${as.tenant}, 'inbound', ${as.mark}, '+49305550', ${as.mark}, ${known}, 'ended', now(), now(), 'NO_ANSWER') returning seq::float8 as seq`
      return { id, seq: row!.seq }
    })
  const shows = ({ json }: { readonly json: any }) => json.items.map((item: { readonly id: number }) => item.id)
  const isThat = ({ json }: { readonly json: any }, { id }: { readonly id: number }) =>
    json.id === id ? undefined : `not ${id}`
  const made = ({ json }: { readonly json: any }) => json.id
  const one = (success: number, body?: (as: Who) => object) =>
    thing({
      seed: (as) => Effect.map(customer(as), ({ id }) => ({ id })),
      never,
      request: ({ id }, as): Request => ({ path: { id }, ...(body === undefined ? {} : { body: body(as) }) }),
      success
    })
  const inTenant = { seed: (as: Who) => Effect.succeed({ tenant: as.tenant }), never: { tenant: 2_000_000_000 } }
  return {
    [`GET ${base}`]: list({
      seed: customer,
      never: { ...never, number: "nobody-has-it" },
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows,
      by: "id",
      naming: ({ id, number }) => [{ before: id }, { q: number }, { number }],
      freeText: ["query.q", "query.number", "query.phone"]
    }),
    [`POST ${base}`]: thing({
      ...inTenant,
      request: ({ tenant }, as) => ({ body: { ...whole(as), tenant_id: tenant } }),
      success: 201,
      made
    }),
    [`GET ${base}/{id}`]: { ...one(200), wrong: isThat },
    [`PUT ${base}/{id}`]: { ...one(200, whole), wrong: isThat },
    [`DELETE ${base}/{id}`]: one(204),
    [`POST ${base}/imports`]: thing({
      ...inTenant,
      request: ({ tenant }, as) => ({ query: { tenant_id: tenant }, headers: csv, body: file(as) }),
      success: 202,
      made
    }),
    [`GET ${base}/imports/{id}`]: {
      ...thing({ seed: taken, never, request: ({ id }) => ({ path: { id } }), success: 200 }),
      wrong: isThat
    },
    "GET /api/v1/sip/calls": list({
      seed: call,
      never: { id: randomUUID(), seq: 2_000_000_000 },
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows,
      by: "seq",
      naming: ({ seq }) => [{ before: seq }, { number: "+49305550" }, { direction: "inbound" }],
      freeText: ["query.number"]
    }),
    "GET /api/v1/sip/calls/{id}": thing({
      seed: (as) => Effect.map(call(as), ({ id }) => ({ id })),
      never: { id: randomUUID() },
      request: ({ id }) => ({ path: { id } }),
      success: 200
    })
  }
}
