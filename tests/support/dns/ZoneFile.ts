// Reads zone file contents like a name server, for provider doubles. Independent of the tested code.

/** Types whose last field is a host name. */
const hostTypes = new Set(["CNAME", "NS", "PTR", "MX", "SRV"])

/** Makes host names absolute, without a final dot. Names without a final dot are relative to the zone. */
export const absolute = (type: string, value: string, zone: string): string => {
  if (!hostTypes.has(type)) return value
  const words = value.split(" ")
  const last = words.at(-1)!
  const full = last === "." ? "." : last === "@" ? zone : last.endsWith(".") ? last.slice(0, -1) : `${last}.${zone}`
  return [...words.slice(0, -1), full.toLowerCase()].join(" ")
}

/** Error of TXT data, which must be quoted strings of at most 255 octets each. Source: RFC 1035 §3.3, §5.1. */
export const stringsProblem = (value: string): string | undefined => {
  const strings = stringsOf(value)
  if (strings === undefined) return "must be quoted strings"
  return strings.every((octets) => octets.length <= 255) ? undefined : "a string has more than 255 octets"
}

/** Text of TXT data: its strings joined. */
export const dnsText = (value: string): string => Buffer.concat(stringsOf(value) ?? []).toString("utf8")

/** Quoted strings of TXT data; undefined when there is anything else. */
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
