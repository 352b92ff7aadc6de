/** Finds the mail domain that a configuration request is about. Pure. */
import { domainName } from "../domains/Exports.ts"

/** Host name prefix that mail programs add to the domain. Source: Thunderbird:Autoconfiguration. */
const prefix = "autoconfig."

/** Longest accepted Host header. Unit: characters. Reason: a name of 253 and a port. */
const maxHost = 260

/**
 * The domains that a `Host` header may refer to, the most likely first. Two candidates when the name starts with
 * `autoconfig.`, because a mail domain may itself start with it.
 */
export const askedDomains = (host: string | undefined): ReadonlyArray<string> => {
  if (host === undefined || host.length > maxHost) return []
  const name = host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase()
  const names = name.startsWith(prefix) ? [name.slice(prefix.length), name] : [name]
  return names.map(domainName).filter((domain) => domain !== undefined)
}
