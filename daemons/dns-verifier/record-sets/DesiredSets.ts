/**
 * The record sets that a domain should have: the platform's addresses, users' records, and what mail needs. A record
 * that conflicts with another one is left out with a warning. Pure. Source: interface document 2 §2.1 and 1 §2.1.
 */
import type { MailRecord } from "#core/contracts/MailDomains.ts"
import { fullName, nameInZone } from "./ZoneNames.ts"
import { united } from "./CanonicalContent.ts"
import * as Spf from "./Spf.ts"
import { txtKind } from "./TxtKind.ts"
import { type Warning, warning } from "./PlanWarning.ts"

/** Shortest TTL. Unit: seconds. Reason: Hetzner and IONOS refuse less, and resolvers would query constantly. */
export const minTtl = 60

/** TTL of platform and mail records. Unit: seconds. Reason: a correction takes effect within an hour. */
export const usualTtl = 3600

export type Source = "platform" | "user" | "mail"

/** One desired record. `name` is relative to the domain. */
export interface DesiredRecord {
  readonly source: Source
  readonly type: string
  readonly name: string
  readonly content: string
  /** Unit: seconds. */
  readonly ttl: number
}

/** All desired records of one name and type. */
export interface DesiredSet {
  readonly type: string
  readonly name: string
  readonly ttl: number
  readonly contents: ReadonlyArray<string>
  readonly sources: ReadonlyArray<Source>
}

/** Addresses of the platform; undefined: not configured, so no record points there. */
export interface PlatformAddresses {
  readonly ipv4: string | undefined
  readonly ipv6: string | undefined
}

export interface DesiredInput {
  /** In lower case and ASCII. */
  readonly domain: string
  readonly platform: PlatformAddresses
  /** Users' records; names are relative to the domain. */
  readonly records: ReadonlyArray<Omit<DesiredRecord, "source">>
  /** Active mail domains at or below the domain. Names of their records are relative to the mail domain. */
  readonly mail: ReadonlyArray<{ readonly name: string; readonly records: ReadonlyArray<MailRecord> }>
}

/** The platform's records: A at @ and www, AAAA at @. */
export const platformRecords = ({ ipv4, ipv6 }: PlatformAddresses): ReadonlyArray<DesiredRecord> => [
  ...(ipv4 === undefined ? [] : [platform("A", "@", ipv4), platform("A", "www", ipv4)]),
  ...(ipv6 === undefined ? [] : [platform("AAAA", "@", ipv6)])
]

const platform = (type: string, name: string, content: string): DesiredRecord => ({
  source: "platform",
  type,
  name,
  content,
  ttl: usualTtl
})

/** Records of one mail domain with names relative to `domain`; none when the mail domain is not below it. */
export const mailRecords = (domain: string, mail: DesiredInput["mail"][number]): ReadonlyArray<DesiredRecord> =>
  mail.records.flatMap(({ content, name, priority, type }) => {
    const at = nameInZone(fullName(name, mail.name), domain)
    return at === undefined
      ? []
      : [
          {
            source: "mail" as const,
            type,
            name: at,
            content: priority === null ? content : `${priority} ${content}`,
            ttl: usualTtl
          }
        ]
  })

export const desiredSetsOf = (
  wishes: DesiredInput
): { readonly sets: ReadonlyArray<DesiredSet>; readonly warnings: ReadonlyArray<Warning> } => {
  const { platform, records } = wishes
  const all = [
    ...platformRecords(platform),
    ...records.map((record) => ({ ...record, source: "user" as const })),
    ...wishes.mail.flatMap((mail) => mailRecords(wishes.domain, mail))
  ]
  const warnings: Array<Warning> = []
  const standing = all.filter((record) => {
    const why = leftOut(record, all)
    if (why !== undefined) warnings.push(warning("left_out", record, `${record.content} is left out: ${why}.`))
    return why === undefined
  })
  const places = Map.groupBy(standing, ({ name, type }) => `${type} ${name}`)
  return { sets: [...places.values()].map(setOf), warnings }
}

/** Returns why the record conflicts with the others; undefined when it does not. */
const leftOut = (record: DesiredRecord, all: ReadonlyArray<DesiredRecord>): string | undefined => {
  const { content, name, source, type } = record
  const sameName = all.filter((other) => other.name === name)
  const samePlace = sameName.filter((other) => other.type === type)
  if (type === "CNAME") {
    if (name === "@") return "the domain itself cannot have a CNAME"
    if (sameName.some((other) => other.type !== "CNAME")) return "a CNAME must be the only record of its name"
    return samePlace[0] === record || samePlace[0]!.content === content ? undefined : "the name has another CNAME"
  }
  if (source === "user" && samePlace.some((other) => other.source === "platform" && other.content !== content))
    return "the name must point to the platform only"
  if (type !== "TXT") return undefined
  const kind = txtKind(name, content)
  const rivals = samePlace.filter(
    (other) => other !== record && other.content !== content && txtKind(name, other.content) === kind
  )
  // The customer chooses the DMARC policy; the mail server chooses the DKIM key.
  if (kind === "dmarc" && source === "mail" && rivals.some((other) => other.source === "user"))
    return "the customer has a DMARC policy"
  if (kind === "dkim" && source === "user" && rivals.some((other) => other.source === "mail"))
    return "the name has the key that signs mail"
  if (kind === "dmarc" && rivals.some((other) => other.source === source && all.indexOf(other) < all.indexOf(record)))
    return "the name has another DMARC policy"
  return undefined
}

const setOf = (records: ReadonlyArray<DesiredRecord>): DesiredSet => {
  const { name, type } = records[0]!
  const contents = united(
    type,
    records.map(({ content }) => content)
  )
  return {
    type,
    name,
    ttl: Math.max(minTtl, Math.min(...records.map(({ ttl }) => ttl))),
    contents: type === "TXT" ? withOneSpf(contents) : contents,
    sources: [...new Set(records.map(({ source }) => source))]
  }
}

/** Merges several desired SPF texts into the first one, which keeps its own `all` term. */
const withOneSpf = (contents: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...others] = contents.filter(Spf.isSpf)
  if (first === undefined || others.length === 0) return contents
  const one = Spf.merge(first, others.flatMap(Spf.mechanismsOf))?.text ?? first
  return [one, ...contents.filter((content) => !Spf.isSpf(content))]
}
