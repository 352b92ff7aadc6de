/**
 * Which zone of an account a domain lies in, and what it is called there. Pure. Names: lower case, in ASCII, without a
 * trailing dot.
 */
import { isWithin } from "#protocols/dns/Name.ts"
import type { Zone } from "./Adapter.ts"

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
