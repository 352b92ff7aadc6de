/** When two contents say the same: one spelling for each, to compare by and never to write. Pure. */
import ipaddr from "ipaddr.js"
import type { RecordSet } from "./RecordSet.ts"

/** Types whose content ends in a host name. */
const hosts = new Set(["CNAME", "MX", "SRV", "NS", "PTR", "DNAME"])

export const canonical = (type: string, content: string): string => {
  if (type === "TXT") return tagged(content) ?? content
  if (type === "A" || type === "AAAA") return ipaddr.isValid(content) ? ipaddr.parse(content).toString() : content
  const spaced = content.trim().replace(/\s+/g, " ")
  return hosts.has(type) ? spaced.toLowerCase().replace(/(?<=[^ ])\.$/, "") : spaced
}

/** The contents of one set as one text. */
export const contentsKey = (type: string, contents: ReadonlyArray<string>): string =>
  JSON.stringify([...new Set(contents.map((content) => canonical(type, content)))].toSorted())

export const sameContents = (type: string, a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  contentsKey(type, a) === contentsKey(type, b)

/** What of `a` is not in `b`. */
export const without = (type: string, a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set(b.map((content) => canonical(type, content)))
  return a.filter((content) => !known.has(canonical(type, content)))
}

/** Those of `a` that are in `b` as well. */
export const common = (type: string, a: ReadonlyArray<string>, b: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set(b.map((content) => canonical(type, content)))
  return a.filter((content) => known.has(canonical(type, content)))
}

/** Without doubles, the first of each. */
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
 * DKIM and DMARC texts, whose tags may be spaced in many ways (RFC 6376 §3.2); their order is kept but for the first,
 * which is fixed.
 */
const tagged = (content: string): string | undefined => {
  if (!/^\s*v\s*=\s*(DKIM1|DMARC1)\s*(;|$)/.test(content)) return undefined
  const [version, ...rest] = content
    .split(";")
    .map((tag) => tag.replace(/^\s+|\s+$/g, "").replace(/\s*=\s*/, "="))
    .filter((tag) => tag !== "")
  return [version!, ...rest.toSorted()].join(";")
}
