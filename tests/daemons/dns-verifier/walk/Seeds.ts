/** Things of a tenant, made anew, with its mark in every text that takes it. */
import { Effect } from "effect"
import type { HetznerDouble } from "#support/dns/HetznerDouble.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import type { Who } from "#support/walk/Case.ts"
import type { Reply } from "#support/walk/Wire.ts"
import { callsOf } from "../Verifier.ts"

export const nobody = 2_000_000_000

export const isThat = ({ json }: Reply, { id }: { readonly id: number }) => (json.id === id ? undefined : `not ${id}`)
export const made = ({ json }: Reply) => json.id as number
export const shows = ({ json }: Reply) => json.items.map((item: { readonly id: number }) => item.id)

export type Seeds = ReturnType<typeof seeds>

export const seeds = (suite: TestSuite, hetzner: HetznerDouble) => {
  let count = 0
  const of = (as: Who) => callsOf(suite, { headers: { ...as.headers } })
  const { sql } = suite
  const customerOf = (as: Who) => 90_000 + as.tenant
  /** A new one, with a zone at the provider. */
  const name = (as: Who) => {
    const made = `${as.mark.toLowerCase()}-${++count}.test`
    hetzner.makeZone(made)
    return made
  }
  const powerDns = { url: "http://127.0.0.1:9", api_key: "k".repeat(20), server_id: "localhost" }
  const provider = (as: Who, type = "provider_a") =>
    Effect.map(
      of(as).provider(type, {
        customer_id: customerOf(as),
        name: as.mark,
        credentials: type === "provider_a" ? { api_token: hetzner.token } : powerDns,
        is_default: false
      }),
      ({ id }) => ({ id: id as number })
    )
  /** With mail, and with what was read and written of its zone. */
  const domain = Effect.fnUntraced(function* (as: Who, dns_provider_id: number | null = null) {
    const at = name(as)
    const { id } = yield* of(as).domain(at, { customer_id: customerOf(as), dns_provider_id })
    yield* sql`insert into dns_verifier.mail_domain (mail_domain_id, tenant_id, customer_id, name, state, records, version) values (${++count}, ${as.tenant},
      ${customerOf(as)}, ${at}, 'active', ${JSON.stringify([{ type: "MX", name: "@", content: `mail.${as.mark.toLowerCase()}.test`, priority: 10 }])}::text::jsonb, 1)`
    if (dns_provider_id !== null) return { id: id as number, name: at }
    yield* sql`insert into dns_verifier.owned_set (domain_id, tenant_id, type, name, contents) values (${id}, ${as.tenant}, 'TXT', 'owned', ${JSON.stringify([as.mark])}::text::jsonb)`
    yield* sql`insert into dns_verifier.zone_reading (domain_id, tenant_id, sets, fingerprint)
      values (${id}, ${as.tenant}, ${JSON.stringify([{ type: "TXT", name: "theirs", ttl: 60, contents: [as.mark] }])}::text::jsonb, ${as.mark})`
    return { id: id as number, name: at }
  })
  const managed = (as: Who) => Effect.flatMap(provider(as), ({ id }) => Effect.map(domain(as, id), (made) => made.id))
  const record = Effect.fnUntraced(function* (as: Who, domainId?: number) {
    const id = domainId ?? (yield* domain(as)).id
    const { id: record } = yield* of(as).record(id, "TXT", `n${++count}`, as.mark)
    return { id, record: record as string }
  })
  /** Of a domain by hand, so that nothing comes of applying it but that it fails. */
  const plan = Effect.fnUntraced(function* (as: Who) {
    const { id } = yield* domain(as)
    const [row] = yield* sql<{
      id: string
    }>`insert into dns_verifier.plan (tenant_id, domain_id, reason, actor, state, fingerprint, zone_sets, share)
      values (${as.tenant}, ${id}, ${as.mark}, ${as.mark}, 'planned', ${as.mark}, 3, 0.5) returning id`
    yield* sql`insert into dns_verifier.plan_step (plan_id, position, tenant_id, type, name, after, owns, reason)
      values (${row!.id}, 0, ${as.tenant}, 'TXT', 'new', ${JSON.stringify([as.mark])}::text::jsonb, ${JSON.stringify([as.mark])}::text::jsonb, ${as.mark})`
    return { id, plan: row!.id }
  })
  return { customerOf, domain, managed, name, plan, powerDns, provider, record }
}
