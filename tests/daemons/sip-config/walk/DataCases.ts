/** Walk cases of the telephony data. */
import { Effect } from "effect"
import type { TestSuite } from "#support/TestSuite.ts"
import { type Cases, type Ids, list, own, platformOnly, type Request, thing, type Who } from "#support/walk/Case.ts"
import type { Reply } from "#support/walk/Wire.ts"
import { firstOf } from "#support/FakeUsers.ts"
import { callsOf } from "../Telephony.ts"

const nobody = 2_000_000_000
const never = { id: nobody }
const base = "/api/v1/sip"

const isThat = ({ json }: Reply, { id }: { readonly id: number }) => (json.id === id ? undefined : `not ${id}`)
const made = ({ json }: Reply) => json.id as number
const shows = ({ json }: Reply) => json.items.map((item: { readonly id: number }) => item.id)

export const dataCases = (suite: TestSuite): Cases => {
  let count = 0
  const next = () => ++count
  const of = (as: Who) => callsOf(suite, { headers: { ...as.headers } })
  /** Names and domains of A contain its mark, as far as a domain allows. */
  const domain = (as: Who) => `${as.mark.toLowerCase()}-${next()}.test`
  /** The tenant's domain for groups and their members. */
  const home = (as: Who) => `${as.mark.toLowerCase()}-home.test`
  const phone = () => `+4930${2_000_000 + next()}`
  const extensionBody = (as: Who) => ({ extension: `1${next()}`, name: as.mark, domain: domain(as), user_id: 9 })
  const extension = (as: Who) =>
    Effect.map(
      of(as).extension(`1${next()}`, extensionBody(as)),
      (row) => row as { id: number; extension: string; domain: string }
    )
  /** The fake users of the walk have ids derived from their tenants. */
  const ownExtension = (as: Who) =>
    Effect.map(of(as).extension(`1${next()}`, { ...extensionBody(as), user_id: firstOf(as.tenant) }), ({ id }) => ({
      id: id as number
    }))
  const trunk = (as: Who) => Effect.map(of(as).trunk(as.mark), ({ id }) => ({ id: id as number }))
  const did = (as: Who) =>
    Effect.flatMap(Effect.all([extension(as), trunk(as)]), ([to, by]) =>
      Effect.map(of(as).did(phone(), "extension", to.id, { name: as.mark, trunk_id: by.id }), (row) => ({
        id: row.id as number,
        number: row.number as string,
        extension: to.id,
        trunk: by.id
      }))
    )
  const line = (as: Who) =>
    Effect.flatMap(did(as), (of_) =>
      Effect.map(of(as).line(of_.extension, of_.trunk, { did_id: of_.id }), (row) => ({
        id: row.id as number,
        extension: of_.extension,
        did: of_.id,
        trunk: of_.trunk
      }))
    )
  const member = (as: Who) =>
    Effect.map(of(as).extension(`1${next()}`, { name: as.mark, domain: home(as) }), (row) => row.extension as string)
  const ringGroup = (as: Who) =>
    Effect.flatMap(member(as), (own) =>
      Effect.map(of(as).ringGroup(as.mark, [own], { domain: home(as), number: `6${next()}` }), (row) => ({
        id: row.id as number,
        number: row.number as string,
        domain: home(as),
        member: own
      }))
    )
  const menu = (as: Who) =>
    Effect.map(of(as).menu(as.mark, { domain: domain(as) }), (row) => ({
      id: row.id as number,
      domain: row.domain as string
    }))
  const box = (as: Who) =>
    Effect.map(of(as).box(`7${next()}`, { name: as.mark, domain: domain(as) }), (row) => ({
      id: row.id as number,
      number: row.box as string,
      domain: row.domain as string
    }))
  const external = (as: Who) =>
    Effect.map(of(as).external(phone(), { name: as.mark }), (row) => ({
      id: row.id as number,
      number: row.number as string
    }))
  const filter = (as: Who) => Effect.map(of(as).filter(as.mark), ({ id }) => ({ id: id as number }))

  const ofDomain = (as: Who) =>
    Effect.flatMap(menu(as), (row) =>
      Effect.map(of(as).get(`domains?domain=${row.domain}`), ({ json }) => ({
        id: json.items[0].id as number,
        domain: row.domain
      }))
    )
  /** A number that is not assigned yet. */
  const claimed = (as: Who) =>
    Effect.flatMap(box(as), ({ id }) =>
      Effect.map(
        of(as).post("dids", { number: phone(), name: as.mark, destination_type: "voicemail", destination_id: id }),
        ({ json }) => ({ id: json.id as number })
      )
    )

  type Seed<I extends Ids> = (as: Who) => Effect.Effect<I, unknown>
  const about = (seed: Seed<Ids & { readonly id: number }>, success: number, body?: (as: Who) => object) =>
    thing({
      seed: (as) => Effect.map(seed(as), ({ id }) => ({ id })),
      never,
      request: ({ id }, as): Request => ({ path: { id }, ...(body === undefined ? {} : { body: body(as) }) }),
      success,
      ...(success === 204 ? {} : { wrong: isThat })
    })
  /** `none`: ids that never existed, for the values that `naming` uses besides id and tenant. */
  const listOf = <I extends Ids>(
    seed: Seed<I & { readonly id: number }>,
    none: Ids,
    naming: (ids: I) => ReadonlyArray<NonNullable<Request["query"]>>,
    freeText: ReadonlyArray<string> = []
  ) =>
    list<any>({
      seed: (as) =>
        Effect.map(seed(as), (ids) => ({
          ...Object.fromEntries(Object.keys(none).map((key) => [key, ids[key]!])),
          id: ids.id,
          tenant: as.tenant
        })),
      never: { ...none, id: nobody, tenant: nobody },
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows,
      by: "id",
      naming: (ids) => [{ before: ids["id"]! }, { tenant_id: ids["tenant"]! }, ...naming(ids as unknown as I)],
      freeText
    })
  const post = <I extends Ids>(seed: Seed<I>, none: I, body: (ids: I, as: Who) => object) =>
    thing({
      seed: (as) => Effect.map(seed(as), (ids) => ({ ...ids, tenant: as.tenant })),
      never: { ...none, tenant: nobody },
      success: 201,
      made,
      request: ({ tenant, ...ids }, as) => ({ body: { ...body(ids as unknown as I, as), tenant_id: tenant } })
    })
  const nothing = () => Effect.succeed({})
  const password = "abcdefghijklmnop"

  return {
    [`GET ${base}/extensions`]: listOf(
      extension,
      { domain: "never.was.test", extension: "never" },
      ({ domain, extension }) => [{ number: extension }, { domain }, { domain, number: extension }, { user_id: 9 }],
      ["query.number"]
    ),
    [`POST ${base}/extensions`]: post(nothing, {}, (_, as) => ({ ...extensionBody(as), password, enabled: true })),
    [`GET ${base}/extensions/{id}`]: about(extension, 200),
    [`PUT ${base}/extensions/{id}`]: about(extension, 200, (as) => ({
      ...extensionBody(as),
      password,
      enabled: false
    })),
    [`DELETE ${base}/extensions/{id}`]: about(extension, 204),
    [`POST ${base}/extensions/{id}/password`]: about(extension, 200),
    [`GET ${base}/extensions/{id}/config`]: {
      ...about(extension, 200),
      wrong: ({ json }: Reply, { id }: { readonly id: number }) => (json.extension_id === id ? undefined : `not ${id}`)
    },

    [`GET ${base}/extensions/mine`]: own("the caller's own extensions", {
      success: 200,
      personal: true,
      request: () => ({})
    }),
    [`GET ${base}/extensions/mine/{id}/config`]: {
      ...thing({
        seed: ownExtension,
        never,
        request: ({ id }): Request => ({ path: { id } }),
        success: 200,
        personal: true
      }),
      wrong: ({ json }: Reply, { id }: { readonly id: number }) => (json.extension_id === id ? undefined : `not ${id}`)
    },

    [`GET ${base}/trunks`]: listOf(trunk, {}, () => []),
    [`POST ${base}/trunks`]: post(nothing, {}, (_, as) => trunkBody(as)),
    [`GET ${base}/trunks/{id}`]: about(trunk, 200),
    [`PUT ${base}/trunks/{id}`]: about(trunk, 200, (as) => trunkBody(as)),
    [`DELETE ${base}/trunks/{id}`]: about(trunk, 204),
    [`POST ${base}/trunks/{id}/networks/confirm`]: platformOnly("networks open the switch, which is the provider's", {
      seed: (as) =>
        Effect.map(of(as).trunk(as.mark, { networks: ["192.0.2.0/24"] }), ({ id }) => ({ id: id as number })),
      never,
      request: ({ id }) => ({ path: { id }, body: { networks: ["192.0.2.0/24"] } }),
      success: 200
    }),

    [`GET ${base}/dids`]: listOf(did, { number: "+4930999999", trunk: nobody }, ({ number, trunk }) => [
      { number },
      { trunk_id: trunk }
    ]),
    [`POST ${base}/dids`]: post(
      (as) => Effect.all({ to: Effect.map(box(as), ({ id }) => id), by: Effect.map(trunk(as), ({ id }) => id) }),
      { to: nobody, by: nobody },
      ({ by, to }, as) => ({
        number: phone(),
        name: as.mark,
        trunk_id: by,
        destination_type: "voicemail",
        destination_id: to
      })
    ),
    [`GET ${base}/dids/{id}`]: about(did, 200),
    [`PUT ${base}/dids/{id}`]: thing({
      seed: (as) =>
        Effect.flatMap(did(as), ({ id }) =>
          Effect.all({
            id: Effect.succeed(id),
            to: Effect.map(external(as), (row) => row.id),
            by: Effect.map(trunk(as), (row) => row.id)
          })
        ),
      never: { id: nobody, to: nobody, by: nobody },
      request: ({ by, id, to }, as) => ({
        path: { id },
        body: { number: phone(), name: as.mark, trunk_id: by, destination_type: "external", destination_id: to }
      }),
      success: 200,
      wrong: isThat
    }),
    [`DELETE ${base}/dids/{id}`]: about(did, 204),
    [`POST ${base}/dids/{id}/assign`]: platformOnly("numbers are the provider's", {
      seed: claimed,
      never,
      request: ({ id }) => ({ path: { id } }),
      success: 200
    }),

    [`GET ${base}/domains`]: listOf(ofDomain, { domain: "never.was.test" }, ({ domain }) => [{ domain }]),
    [`GET ${base}/domains/{id}`]: about(ofDomain, 200),
    [`POST ${base}/domains/{id}/ownership/check`]: about(ofDomain, 202),
    [`POST ${base}/domains/{id}/assert`]: platformOnly("only the provider asserts ownership", {
      seed: (as) => Effect.map(ofDomain(as), ({ id }) => ({ id })),
      never,
      request: ({ id }) => ({ path: { id } }),
      success: 200
    }),

    [`GET ${base}/lines`]: listOf(
      line,
      { extension: nobody, did: nobody, trunk: nobody },
      ({ did, extension, trunk }) => [{ extension_id: extension }, { did_id: did }, { trunk_id: trunk }]
    ),
    [`POST ${base}/lines`]: post(
      (as) => Effect.map(line(as), ({ did, extension, trunk }) => ({ did, extension, trunk })),
      { did: nobody, extension: nobody, trunk: nobody },
      ({ did, extension, trunk }) => ({ extension_id: extension, did_id: did, trunk_id: trunk, priority: 10 })
    ),
    [`GET ${base}/lines/{id}`]: about(line, 200),
    [`PUT ${base}/lines/{id}`]: thing({
      seed: line,
      never: { id: nobody, extension: nobody, did: nobody, trunk: nobody },
      request: ({ did, extension, id, trunk }) => ({
        path: { id },
        body: { extension_id: extension, did_id: did, trunk_id: trunk, priority: 20 }
      }),
      success: 200,
      wrong: isThat
    }),
    [`DELETE ${base}/lines/{id}`]: about(line, 204),

    [`GET ${base}/ring-groups`]: listOf(
      ringGroup,
      { domain: "never.was.test", number: "never" },
      ({ domain, number }) => [{ domain }, { number }],
      ["query.number"]
    ),
    [`POST ${base}/ring-groups`]: post(
      (as) => Effect.map(member(as), (own) => ({ member: own })),
      { member: "never" },
      ({ member }, as) => ({
        name: as.mark,
        strategy: "random",
        ring_timeout: 15,
        extensions: [member],
        domain: home(as),
        number: `6${next()}`
      })
    ),
    [`GET ${base}/ring-groups/{id}`]: about(ringGroup, 200),
    [`PUT ${base}/ring-groups/{id}`]: thing({
      seed: (as) => Effect.map(ringGroup(as), ({ id, member }) => ({ id, member })),
      never: { id: nobody, member: "never" },
      request: ({ id, member }, as) => ({
        path: { id },
        body: {
          name: as.mark,
          strategy: "sequence",
          ring_timeout: 25,
          extensions: [member],
          domain: home(as),
          number: `6${next()}`
        }
      }),
      success: 200,
      wrong: isThat
    }),
    [`DELETE ${base}/ring-groups/{id}`]: about(ringGroup, 204),

    [`GET ${base}/call-filters`]: listOf(filter, {}, () => [{ type: "blacklist" }]),
    [`POST ${base}/call-filters`]: post(nothing, {}, (_, as) => filterBody(as)),
    [`GET ${base}/call-filters/{id}`]: about(filter, 200),
    [`PUT ${base}/call-filters/{id}`]: about(filter, 200, (as) => filterBody(as)),
    [`DELETE ${base}/call-filters/{id}`]: about(filter, 204),

    [`GET ${base}/ivr-menus`]: listOf(menu, { domain: "never.was.test" }, ({ domain }) => [{ domain }]),
    [`POST ${base}/ivr-menus`]: post(
      (as) => Effect.map(external(as), ({ id }) => ({ to: id })),
      { to: nobody },
      ({ to }, as) => ({ ...menuBody(as, to), domain: domain(as) })
    ),
    [`GET ${base}/ivr-menus/{id}`]: about(menu, 200),
    [`PUT ${base}/ivr-menus/{id}`]: thing({
      seed: (as) => Effect.flatMap(menu(as), ({ id }) => Effect.map(external(as), (row) => ({ id, to: row.id }))),
      never: { id: nobody, to: nobody },
      request: ({ id, to }, as) => ({ path: { id }, body: { ...menuBody(as, to), domain: domain(as) } }),
      success: 200,
      wrong: isThat
    }),
    [`DELETE ${base}/ivr-menus/{id}`]: about(menu, 204),

    [`GET ${base}/voicemail-boxes`]: listOf(
      box,
      { domain: "never.was.test", number: "never" },
      ({ domain, number }) => [{ domain }, { number }],
      ["query.number"]
    ),
    [`POST ${base}/voicemail-boxes`]: post(nothing, {}, (_, as) => ({
      box: `7${next()}`,
      name: as.mark,
      domain: domain(as),
      pin: "135790",
      email: "ann@far.test",
      enabled: true
    })),
    [`GET ${base}/voicemail-boxes/{id}`]: about(box, 200),
    [`PUT ${base}/voicemail-boxes/{id}`]: about(box, 200, (as) => ({
      box: `7${next()}`,
      name: as.mark,
      domain: domain(as),
      pin: "135790",
      email: "ann@far.test",
      enabled: false
    })),
    [`DELETE ${base}/voicemail-boxes/{id}`]: about(box, 204),
    [`POST ${base}/voicemail-boxes/{id}/pin`]: about(box, 200),
    [`GET ${base}/voicemail-boxes/{id}/pin`]: about(box, 200),

    [`GET ${base}/external-numbers`]: listOf(external, { number: "+4930999999" }, ({ number }) => [{ number }]),
    [`POST ${base}/external-numbers`]: post(nothing, {}, (_, as) => ({ number: phone(), name: as.mark })),
    [`GET ${base}/external-numbers/{id}`]: about(external, 200),
    [`PUT ${base}/external-numbers/{id}`]: about(external, 200, (as) => ({ number: phone(), name: as.mark })),
    [`DELETE ${base}/external-numbers/{id}`]: about(external, 204)
  }
}

const trunkBody = (as: Who) => ({
  name: as.mark,
  host: "sip.provider.test",
  port: 5061,
  transport: "tls",
  username: "us",
  password: "word",
  register: true,
  realm: "provider.test",
  caller_id: "+4930123456",
  networks: ["192.0.2.0/24"],
  enabled: true
})

const filterBody = (as: Who) => ({ name: as.mark, type: "whitelist", pattern: "+49*", action: "reject", enabled: true })

const menuBody = (as: Who, to: number) => ({
  name: as.mark,
  greeting: "ivr/hello.wav",
  timeout: 4,
  max_failures: 2,
  entries: [{ digits: "1", destination_type: "external", destination_id: to }]
})
