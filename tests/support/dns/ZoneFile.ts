// How a name server reads contents of a zone file, for doubles of those who run one. Written apart from what is tested.

/** Types whose last word is a host. */
const hostTypes = new Set(["CNAME", "NS", "PTR", "MX", "SRV"])

/** Hosts in full and without a dot at their end; one that has none is relative to the zone, whatever was meant. */
export const absolute = (type: string, value: string, zone: string): string => {
  if (!hostTypes.has(type)) return value
  const words = value.split(" ")
  const last = words.at(-1)!
  const full = last === "." ? "." : last === "@" ? zone : last.endsWith(".") ? last.slice(0, -1) : `${last}.${zone}`
  return [...words.slice(0, -1), full.toLowerCase()].join(" ")
}

/**
 * What is wrong with a TXT: it has to be strings in quotes, of at most 255 octets each. Source: RFC 1035 §3.3, §5.1.
 */
export const stringsProblem = (value: string): string | undefined => {
  const strings = stringsOf(value)
  if (strings === undefined) return "must be quoted strings"
  return strings.every((octets) => octets.length <= 255) ? undefined : "a string has more than 255 octets"
}

/** The text of a TXT, its strings joined. */
export const dnsText = (value: string): string => Buffer.concat(stringsOf(value) ?? []).toString("utf8")

/** The strings of a TXT in quotes; undefined when there is anything else. */
export const stringsOf = (value: string): ReadonlyArray<Buffer> | undefined => {
  const strings: Array<Buffer> = []
  let at = 0
  while (at < value.length) {
    if (value[at] !== '"') return undefined
    const octets: Array<Buffer> = []
    for (at++; value[at] !== '"'; at++) {
      if (at >= value.length) return undefined
      if (value[at] !== "\\") {
        octets.push(Buffer.from(value[at]!))
      } else if (/^\d{3}/.test(value.slice(at + 1))) {
        octets.push(Buffer.from([Number(value.slice(at + 1, at + 4))]))
        at += 3
      } else {
        octets.push(Buffer.from(value[++at] ?? ""))
      }
    }
    strings.push(Buffer.concat(octets))
    for (at++; value[at] === " "; at++);
  }
  return strings.length === 0 ? undefined : strings
}
