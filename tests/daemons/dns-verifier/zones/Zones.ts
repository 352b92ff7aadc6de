/** Zones, wishes and edits to try plans on, and a zone in which steps are done as a provider would. */
import fc from "fast-check"
import type { MailRecord } from "#core/contracts/MailDomains.ts"
import { setKey } from "#daemons/dns-verifier/record-sets/CanonicalContent.ts"
import { type Plan, planOf, type Step } from "#daemons/dns-verifier/zones/Plan.ts"
import { type DesiredInput, desiredSetsOf } from "#daemons/dns-verifier/record-sets/DesiredSets.ts"
import type { RecordSet } from "#daemons/dns-verifier/record-sets/RecordSet.ts"
import type { OwnedSet } from "#daemons/dns-verifier/domain-store/OwnedSets.ts"

export const domain = "example.org"

export interface Place {
  readonly zone: ReadonlyArray<RecordSet>
  readonly owned: ReadonlyArray<OwnedSet>
}

export const set = (type: string, name: string, ...contents: ReadonlyArray<string>): RecordSet => ({
  type,
  name,
  ttl: 300,
  contents
})

export const noWishes: DesiredInput = { domain, platform: { ipv4: undefined, ipv6: undefined }, records: [], mail: [] }

/** What mail-admin asks for, for one domain. */
export const mailWish = (name = domain, ip = "192.0.2.1", key = "AAAA"): DesiredInput["mail"][number] => ({
  name,
  records: [
    { type: "MX", name: "@", content: "mail.platform.example", priority: 10 },
    { type: "TXT", name: "@", content: `v=spf1 ip4:${ip} -all`, priority: null },
    { type: "TXT", name: "_dmarc", content: `v=DMARC1; p=quarantine; rua=mailto:postmaster@${name}`, priority: null },
    { type: "TXT", name: "mail._domainkey", content: `v=DKIM1; k=rsa; p=${key}`, priority: null },
    { type: "CNAME", name: "autoconfig", content: "mail.platform.example", priority: null }
  ] satisfies ReadonlyArray<MailRecord>
})

export const planFor = ({ owned, zone }: Place, wishes: DesiredInput, zoneSets = zone.length): Plan =>
  planOf({ wanted: desiredSetsOf(wishes).sets, zone, owned, zoneSets })

/** The zone and our notes after one step. */
export const afterStep = ({ owned, zone }: Place, step: Step): Place => {
  const elsewhere = <A extends { readonly type: string; readonly name: string }>(sets: ReadonlyArray<A>) =>
    sets.filter((one) => setKey(one) !== setKey(step))
  return {
    zone: [
      ...elsewhere(zone),
      ...(step.after === null ? [] : [{ type: step.type, name: step.name, ttl: step.ttl, contents: step.after }])
    ],
    owned: [
      ...elsewhere(owned),
      ...(step.owns.length === 0 ? [] : [{ type: step.type, name: step.name, contents: step.owns, ttl: step.ttl }])
    ]
  }
}

export const applied = (place: Place, plan: Plan): Place => {
  const done = plan.steps.reduce(afterStep, place)
  const lost = new Set(plan.lost.map(setKey))
  return { ...done, owned: done.owned.filter((one) => !lost.has(setKey(one))) }
}

const names = ["@", "www", "autoconfig", "_dmarc", "mail._domainkey", "shop", "a.b", "autoconfig.sub"]
const contents: Readonly<Record<string, ReadonlyArray<string>>> = {
  A: ["192.0.2.1", "203.0.113.1", "203.0.113.2"],
  AAAA: ["2001:db8::1", "2001:db8::2"],
  CNAME: ["mail.platform.example", "elsewhere.example"],
  MX: ["10 mail.platform.example", "10 mx.elsewhere.example", "20 mx2.elsewhere.example"],
  CAA: ['0 issue "letsencrypt.org"', '0 issue "ca.example"'],
  TXT: [
    "v=spf1 ip4:192.0.2.1 -all",
    "v=spf1 include:_spf.elsewhere.example ~all",
    "v=spf1 -ip4:192.0.2.1 include:broken. -all",
    "v=spf1 include: -all",
    "v=spf1 -all",
    "v=DMARC1; p=none",
    "v=DMARC1;p=reject",
    "v=DKIM1; k=rsa; p=BBBB",
    "site-verification=1",
    "site-verification=2"
  ]
}

const single = fc
  .constantFrom(...Object.keys(contents))
  .chain((type) =>
    fc
      .tuple(
        fc.constantFrom(...names),
        fc.uniqueArray(fc.constantFrom(...contents[type]!), { minLength: 1, maxLength: type === "CNAME" ? 1 : 3 }),
        fc.constantFrom(null, 60, 300)
      )
      .map(([name, values, ttl]): RecordSet => ({
        type,
        name: type === "CNAME" && name === "@" ? "shop" : name,
        ttl,
        contents: values
      }))
  )

/** As a provider lets a zone be: one set a place, and an alias alone. */
export const valid = (sets: ReadonlyArray<RecordSet>): ReadonlyArray<RecordSet> => {
  const kept: Array<RecordSet> = []
  for (const one of sets) {
    const clash = kept.some(
      (other) => other.name === one.name && (other.type === one.type || other.type === "CNAME" || one.type === "CNAME")
    )
    if (!clash) kept.push(one)
  }
  return kept
}

export const zones = fc.array(single, { maxLength: 14 }).map(valid)

/** What others may do to a zone that we wrote into. */
export const edits = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("put" as const), set: single }),
    fc.record({ do: fc.constant("drop" as const), at: fc.nat(20) }),
    fc.record({ do: fc.constant("add" as const), at: fc.nat(20), which: fc.nat(10) })
  ),
  { maxLength: 4 }
)

export const edited = (
  zone: ReadonlyArray<RecordSet>,
  changes: typeof edits extends fc.Arbitrary<infer A> ? A : never
): ReadonlyArray<RecordSet> =>
  changes.reduce<ReadonlyArray<RecordSet>>((sets, change) => {
    if (change.do === "put") return valid([change.set, ...sets])
    if (sets.length === 0) return sets
    const at = change.at % sets.length
    if (change.do === "drop") return sets.toSpliced(at, 1)
    const old = sets[at]!
    const more = contents[old.type]!
    return sets.with(
      at,
      old.type === "CNAME"
        ? old
        : { ...old, contents: [...new Set([...old.contents, more[change.which % more.length]!])] }
    )
  }, zone)

const platform = fc.record({
  ipv4: fc.constantFrom(undefined, "192.0.2.1", "203.0.113.2"),
  ipv6: fc.constantFrom(undefined, "2001:db8::1")
})
const records = fc
  .array(single, { maxLength: 5 })
  .map((sets) =>
    sets.flatMap(({ contents, name, ttl, type }) =>
      contents.map((content) => ({ type, name, content, ttl: ttl ?? 3600 }))
    )
  )
const mail = fc
  .uniqueArray(fc.constantFrom(domain, `sub.${domain}`, `a.b.${domain}`, "elsewhere.example"), { maxLength: 2 })
  .chain((domains) =>
    fc.tuple(
      ...domains.map((name) =>
        fc
          .tuple(fc.constantFrom("192.0.2.1", "192.0.2.9"), fc.constantFrom("AAAA", "CCCC"))
          .map(([ip, key]) => mailWish(name, ip, key))
      )
    )
  )

export const wishes: fc.Arbitrary<DesiredInput> = fc.record({ domain: fc.constant(domain), platform, records, mail })
