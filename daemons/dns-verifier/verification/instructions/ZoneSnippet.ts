/**
 * Records as lines of a zone file, ready to be copied into one or imported by a provider. Pure. Source: RFC 1035 §5.
 */
import { txtQuoted } from "#protocols/dns/TxtText.ts"

export interface Line {
  readonly type: string
  /** Below the domain; `@`: the domain itself. */
  readonly name: string
  /** As in RecordSet (providers/Adapter). */
  readonly content: string
  /** Unit: seconds. */
  readonly ttl: number
}

/** Types whose content ends in a host name, which in a zone file is one in full by its final dot alone. */
const hosts = new Set(["CNAME", "MX", "NS", "SRV"])

/** With `$ORIGIN`, so that names hold wherever it is pasted; empty where there is nothing to write. */
export const zoneSnippet = (domain: string, lines: ReadonlyArray<Line>): string => {
  if (lines.length === 0) return ""
  const width = Math.max(...lines.map(({ name }) => name.length))
  return [
    `$ORIGIN ${domain}.`,
    ...lines.map(({ content, name, ttl, type }) => `${name.padEnd(width)} ${ttl} IN ${type} ${written(type, content)}`),
    ""
  ].join("\n")
}

/** A content as it stands in a zone file. */
export const written = (type: string, content: string): string =>
  type === "TXT" ? txtQuoted(content) : hosts.has(type) ? `${content}.` : content
