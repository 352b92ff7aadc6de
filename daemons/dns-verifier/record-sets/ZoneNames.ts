/**
 * Which zone of an account a domain lies in, and what it is called there. Pure. Names: lower case, in ASCII, without a
 * trailing dot.
 */
import { isWithin } from "#protocols/dns/Name.ts"
import type { RecordSet, Zone } from "./RecordSet.ts"

/**
 * The zone with the longest name that is the domain's or above it; undefined: the account has none. Counting labels
 * would fail under `co.uk`.
 */
export const zoneOf = (domain: string, zones: ReadonlyArray<Zone>): Zone | undefined =>
  zones
    .filter(({ name }) => name !== "" && isWithin(domain, name))
    .toSorted((one, other) => other.name.length - one.name.length)[0]

/** A name as it stands in a record set of the zone: `@` for the zone itself; undefined when it does not lie in it. */
export const nameInZone = (name: string, zone: string): string | undefined =>
  name === zone ? "@" : zone !== "" && isWithin(name, zone) ? name.slice(0, -zone.length - 1) : undefined

/** The whole name of a record set of the zone. */
export const fullName = (name: string, zone: string): string => (name === "@" ? zone : `${name}.${zone}`)

/** The sets of a zone that are the domain's, named below the domain. */
export const domainPart = (domain: string, zone: string, sets: ReadonlyArray<RecordSet>): ReadonlyArray<RecordSet> =>
  sets.flatMap((set) => {
    const name = nameInZone(fullName(set.name, zone), domain)
    return name === undefined ? [] : [{ ...set, name }]
  })

/** Below the zone, of a name below the domain. */
export const inZone = (name: string, domain: string, zone: string): string =>
  nameInZone(fullName(name, domain), zone) ?? name

/** Whether one name is the other or lies below it; both are below the same domain. */
export const isAtOrBelow = (name: string, above: string): boolean =>
  above === "@" || name === above || name.endsWith(`.${above}`)
