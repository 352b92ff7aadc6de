/**
 * All telephony data in memory, with its indexes. TelephonyProjection fills it; Route and Directory read it. Every
 * change increments `version`, so that caches of derived data know when to expire.
 */
import { grouped, unique } from "./Indexes.ts"
import type { CallFilter, Did, Extension, Kind, Line, RingGroup, Rows, SipDomain, Trunk, VoicemailBox } from "./Rows.ts"

export const kinds = [
  "sip_domain",
  "extension",
  "trunk",
  "ivr_menu",
  "voicemail_box",
  "external_number",
  "ring_group",
  "did",
  "line",
  "call_filter"
] as const satisfies ReadonlyArray<Kind>

export type Telephony = ReturnType<typeof make>

/** Index key of a number within a domain, independent of letter case. */
const within = (domainId: number, number: string): string => `${domainId}/${number.toLowerCase()}`

export const make = () => {
  let version = 0
  const tables: { readonly [K in Kind]: Map<number, Rows[K]> } = {
    sip_domain: new Map(),
    extension: new Map(),
    trunk: new Map(),
    ivr_menu: new Map(),
    voicemail_box: new Map(),
    external_number: new Map(),
    ring_group: new Map(),
    did: new Map(),
    line: new Map(),
    call_filter: new Map()
  }
  const domains = unique<SipDomain>(({ domain }) => domain.toLowerCase())
  const domainsOf = grouped<SipDomain>(({ tenant_id: tenant }) => tenant)
  const extensions = unique<Extension>(({ domain_id: domain, extension }) => within(domain, extension))
  const extensionsOf = grouped<Extension>(({ domain_id: domain }) => domain)
  const boxes = unique<VoicemailBox>(({ box, domain_id: domain }) => within(domain, box))
  const groups = unique<RingGroup>(({ domain_id: domain, number }) =>
    number === null ? undefined : within(domain, number)
  )
  const groupsOf = grouped<RingGroup>(({ domain_id: domain }) => domain)
  const dids = unique<Did>(({ number }) => number)
  const trunksOf = grouped<Trunk>(({ tenant_id: tenant }) => tenant)
  const byPriority = (a: Line, b: Line) => a.priority - b.priority || a.id - b.id
  const linesOf = grouped<Line>(({ extension_id: extension }) => extension, byPriority)
  const linesOfDid = grouped<Line>(({ did_id: did }) => did, byPriority)
  const linesOfTenant = grouped<Line>(({ tenant_id: tenant }) => tenant, byPriority)
  const filtersOf = grouped<CallFilter>(({ tenant_id: tenant }) => tenant)
  const indexes: {
    readonly [K in Kind]: ReadonlyArray<{ readonly add: (row: Rows[K]) => void; readonly drop: (row: Rows[K]) => void }>
  } = {
    sip_domain: [domains, domainsOf],
    extension: [extensions, extensionsOf],
    trunk: [trunksOf],
    ivr_menu: [],
    voicemail_box: [boxes],
    external_number: [],
    ring_group: [groups, groupsOf],
    did: [dids],
    line: [linesOf, linesOfDid, linesOfTenant],
    call_filter: [filtersOf]
  }

  const remove = <K extends Kind>(kind: K, id: number): void => {
    const before = tables[kind].get(id)
    if (before === undefined) return
    version++
    tables[kind].delete(id)
    for (const index of indexes[kind]) index.drop(before)
  }

  return {
    /** Counter of changes. */
    version: () => version,
    /** Inserts or replaces a row; does nothing when the row has not changed. */
    put: <K extends Kind>(kind: K, row: Rows[K]): void => {
      const before = tables[kind].get(row.id)
      if (before?.xid === row.xid) return
      version++
      tables[kind].set(row.id, row)
      for (const index of indexes[kind]) {
        if (before !== undefined) index.drop(before)
        index.add(row)
      }
    },
    remove,
    size: (kind: Kind): number => tables[kind].size,
    all: <K extends Kind>(kind: K): IterableIterator<Rows[K]> => tables[kind].values(),
    get: <K extends Kind>(kind: K, id: number): Rows[K] | undefined => tables[kind].get(id),
    /** SIP domain by name, independent of letter case. */
    domain: (name: string): SipDomain | undefined => domains.get(name.toLowerCase()),
    domainsOf: domainsOf.get,
    /** Extension by number within a domain, also a disabled one. */
    extension: (domainId: number, number: string): Extension | undefined => extensions.get(within(domainId, number)),
    extensionsOf: extensionsOf.get,
    box: (domainId: number, number: string): VoicemailBox | undefined => boxes.get(within(domainId, number)),
    group: (domainId: number, number: string): RingGroup | undefined => groups.get(within(domainId, number)),
    groupsOf: groupsOf.get,
    /** DID by its number in E.164. */
    did: (number: string): Did | undefined => dids.get(number),
    trunksOf: trunksOf.get,
    /** Lines of an extension, a DID or a tenant, in order of priority. */
    linesOf: linesOf.get,
    linesOfDid: linesOfDid.get,
    linesOfTenant: linesOfTenant.get,
    filtersOf: filtersOf.get
  }
}
