/**
 * A domain's part of its zone. The zone may begin above the domain, and then holds names that are not the domain's; in
 * this daemon names are below the domain, at a provider below the zone. Pure.
 */
import type { RecordSet } from "../providers/Adapter.ts"
import { fullName, nameInZone } from "../providers/SharedZone.ts"

/** The sets of a zone that are the domain's, named below the domain. */
export const realmOf = (domain: string, zone: string, sets: ReadonlyArray<RecordSet>): ReadonlyArray<RecordSet> =>
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
