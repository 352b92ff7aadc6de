/** Comparison of record contents by a canonical form. The canonical form is never written to a zone. Pure. */
import ipaddr from "ipaddr.js"
import type { RecordSet } from "./RecordSet.ts"

/** Types whose content ends with a host name. */
const hosts = new Set(["CNAME", "MX", "SRV", "NS", "PTR", "DNAME"])

export const canonical = (type: string, content: string): string => {
  if (type === "TXT") return tagged(content) ?? content
  if (type === "A" || type === "AAAA") return ipaddr.isValid(content) ? ipaddr.parse(content).toString() : content
  const spaced = content.trim().replace(/\s+/g, " ")
  return hosts.has(type) ? spaced.toLowerCase().replace(/(?<=[^ ])\.$/, "") : spaced
}

/** Key that is equal for sets of equal contents. */
export const contentsKey = (type: string, contents: ReadonlyArray<string>): string =>
  JSON.stringify([...new Set(contents.map((content) => canonical(type, content)))].toSorted())

export const sameContents = (type: string, a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  contentsKey(type, a) === contentsKey(type, b)

/** Contents of `a` that are not in `b`. */
export const without = (type: string, a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set(b.map((content) => canonical(type, content)))
  return a.filter((content) => !known.has(canonical(type, content)))
}

/** Contents of `a` that are also in `b`. */
export const common = (type: string, a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set(b.map((content) => canonical(type, content)))
  return a.filter((content) => known.has(canonical(type, content)))
}

/** Union without duplicates; keeps the first spelling of each content. */
export const united = (type: string, ...parts: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const seen = new Map<string, string>()
  for (const content of parts.flat())
    if (!seen.has(canonical(type, content))) seen.set(canonical(type, content), content)
  return [...seen.values()]
}

export const setKey = ({ name, type }: { readonly type: string; readonly name: string }): string => `${type} ${name}`

export const setAt = (
  sets: ReadonlyArray<RecordSet>,
  place: { readonly type: string; readonly name: string }
): RecordSet | undefined => sets.find(({ name, type }) => type === place.type && name === place.name)

/**
 * Canonical form of DKIM and DMARC texts, in which spacing is free (RFC 6376 §3.2). The version tag stays first and the
 * other tags are sorted. Undefined for other texts.
 */
const tagged = (content: string): string | undefined => {
  if (!/^\s*v\s*=\s*(DKIM1|DMARC1)\s*(;|$)/.test(content)) return undefined
  const [version, ...rest] = content
    .split(";")
    .map((tag) => tag.replace(/^\s+|\s+$/g, "").replace(/\s*=\s*/, "="))
    .filter((tag) => tag !== "")
  return [version!, ...rest.toSorted()].join(";")
}
