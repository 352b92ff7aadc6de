/** Formats records as lines of a zone file, to copy or to import at a provider. Pure. Source: RFC 1035 §5. */
import { txtQuoted } from "#protocols/dns/TxtText.ts"

export interface Line {
  readonly type: string
  /** Relative to the domain; `@`: the domain itself. */
  readonly name: string
  /** As in RecordSet. */
  readonly content: string
  /** Unit: seconds. */
  readonly ttl: number
}

/** Types whose content ends with a host name, which a final dot makes absolute. */
const hosts = new Set(["CNAME", "MX", "NS", "SRV"])

/** Starts with `$ORIGIN`, so that relative names are right in any file; empty without records. */
export const zoneSnippet = (domain: string, lines: ReadonlyArray<Line>): string => {
  if (lines.length === 0) return ""
  const width = Math.max(...lines.map(({ name }) => name.length))
  return [
    `$ORIGIN ${domain}.`,
    ...lines.map(({ content, name, ttl, type }) => `${name.padEnd(width)} ${ttl} IN ${type} ${written(type, content)}`),
    ""
  ].join("\n")
}

/** A content in zone-file form. */
export const written = (type: string, content: string): string =>
  type === "TXT" ? txtQuoted(content) : hosts.has(type) && !content.endsWith(".") ? `${content}.` : content
