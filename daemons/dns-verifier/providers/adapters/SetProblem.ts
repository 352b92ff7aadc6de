/** Checks of a set before it is sent to a provider. Pure. */
import { maxName } from "#protocols/dns/Name.ts"
import { contentProblem } from "./Contents.ts"
import type { RecordSet, Zone } from "../../record-sets/RecordSet.ts"

/** Maximum number of records of a set. Reason: they fit into a DNS answer of 64 KiB. */
const maxContents = 500

/** Longest TTL. Unit: seconds. Source: RFC 2181 §8. */
const maxTtl = 2 ** 31 - 1

/** Whether only the provider changes the set: the zone's SOA and its own NS. */
export const isProviders = (type: string, name: string): boolean => type === "SOA" || (type === "NS" && name === "@")

/** Returns why the set cannot be written, as a sentence for the customer; undefined when it can be sent. */
export const setProblem = (
  zone: Zone,
  place: { readonly type: string; readonly name: string },
  after: RecordSet | null
): string | undefined => {
  const { name, type } = place
  const shown = `${type} at ${name}`
  if (!/^[A-Z][A-Z0-9]{0,15}$/.test(type)) return "a record type consists of capital letters and digits"
  if (isProviders(type, name)) return `${shown}: only the provider can change it`
  if (name !== "@" && !/^(\*|(\*\.)?[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*)$/.test(name))
    return `${type}: ${JSON.stringify(name.slice(0, 80))} is not a valid record name`
  if (name.length + 1 + zone.name.length > maxName) return `${shown}: the name has more than ${maxName} characters`
  if (after === null) return undefined
  if (after.type !== type || after.name !== name) return `${shown}: the set has another type or name`
  if (after.contents.length === 0 || after.contents.length > maxContents)
    return `${shown}: a set has 1 to ${maxContents} contents`
  if (after.ttl !== null && !(Number.isInteger(after.ttl) && after.ttl >= 0 && after.ttl <= maxTtl))
    return `${shown}: the TTL is not a number of seconds`
  if (type === "CNAME" && after.contents.length > 1) return `${shown}: a name has at most one CNAME`
  return undefined
}

/** Problem of contents that are new to a set. Existing contents stay, whatever they are. */
export const newContentProblem = (
  place: { readonly type: string; readonly name: string },
  contents: ReadonlyArray<string>
): string | undefined => {
  for (const content of contents) {
    const problem = contentProblem(place.type, content)
    if (problem !== undefined) return `${place.type} at ${place.name} ${problem}`
  }
  return undefined
}
