/** Which domain a mail program asks about. Pure. */
import { domainName } from "../domains/Exports.ts"

/** The name that mail programs put before a domain. Source: Thunderbird:Autoconfiguration. */
const prefix = "autoconfig."

/** Longest Host header that is looked at. Unit: characters. Reason: a name of 253 and a port. */
const maxHost = 260

/**
 * The domains that a `Host` header may mean, the likeliest first: `autoconfig.` may be a part of the domain's own name.
 */
export const askedDomains = (host: string | undefined): ReadonlyArray<string> => {
  if (host === undefined || host.length > maxHost) return []
  const name = host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase()
  const names = name.startsWith(prefix) ? [name.slice(prefix.length), name] : [name]
  return names.map(domainName).filter((domain) => domain !== undefined)
}
