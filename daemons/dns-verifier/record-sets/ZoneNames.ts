/**
 * Finds the zone of a domain, and converts names between full, zone-relative and domain-relative form. Pure. Names are
 * lower case, ASCII and without a final dot.
 */
import { isWithin } from "#protocols/dns/Name.ts"
import type { RecordSet, Zone } from "./RecordSet.ts"

/**
 * The zone with the longest name at or above the domain; undefined when the account has none. Counting labels would
 * fail for `co.uk`.
 */
export const zoneOf = (domain: string, zones: ReadonlyArray<Zone>): Zone | undefined =>
  zones
    .filter(({ name }) => name !== "" && isWithin(domain, name))
    .toSorted((one, other) => other.name.length - one.name.length)[0]

/** Converts a full name to a name relative to the zone; `@` for the zone itself, undefined outside the zone. */
export const nameInZone = (name: string, zone: string): string | undefined =>
  name === zone ? "@" : zone !== "" && isWithin(name, zone) ? name.slice(0, -zone.length - 1) : undefined

/** Converts a zone-relative name to a full name. */
export const fullName = (name: string, zone: string): string => (name === "@" ? zone : `${name}.${zone}`)

/** The record sets of a zone that belong to the domain, with names relative to the domain. */
export const domainPart = (domain: string, zone: string, sets: ReadonlyArray<RecordSet>): ReadonlyArray<RecordSet> =>
  sets.flatMap((set) => {
    const name = nameInZone(fullName(set.name, zone), domain)
    return name === undefined ? [] : [{ ...set, name }]
  })

/** Converts a name relative to the domain to one relative to the zone. */
export const inZone = (name: string, domain: string, zone: string): string =>
  nameInZone(fullName(name, domain), zone) ?? name

/** Whether a name is equal to `above` or below it. Both are relative to the same domain. */
export const isAtOrBelow = (name: string, above: string): boolean =>
  above === "@" || name === above || name.endsWith(`.${above}`)
