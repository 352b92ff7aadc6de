/** Compares the meaning of TXT records. Pure. Sources: RFC 7208 (SPF), 6376 §3.6.1 (DKIM), 7489 §6.3 (DMARC). */
import ipaddr from "ipaddr.js"

export type TextKind = "spf" | "dkim" | "dmarc" | "other"

export const kindOf = (text: string): TextKind => {
  const [first = ""] = text.trim().split(/[\s;]/, 1)
  if (/^v=spf1$/i.test(first)) return "spf"
  const version = tagsOf(text).get("v")?.toUpperCase()
  return version === "DKIM1" ? "dkim" : version === "DMARC1" ? "dmarc" : "other"
}

/** Whether `found` serves the purpose of `wanted`. */
export const isEquivalentTxt = (wanted: string, found: string): boolean => {
  switch (kindOf(wanted)) {
    case "spf":
      return kindOf(found) === "spf" && permits(found, wanted)
    case "dkim": {
      const [want, have] = [tagsOf(wanted), tagsOf(found)]
      return have.get("v") === undefined || have.get("v") === "DKIM1"
        ? keyTypeOf(want) === keyTypeOf(have) && keyOf(want) === keyOf(have) && keyOf(want) !== ""
        : false
    }
    case "dmarc": {
      const have = tagsOf(found)
      return (
        kindOf(found) === "dmarc" &&
        [...tagsOf(wanted)].every(
          ([tag, value]) =>
            have.get(tag)?.replaceAll(/\s/g, "").toLowerCase() === value.replaceAll(/\s/g, "").toLowerCase()
        )
      )
    }
    case "other":
      return wanted === found
  }
}

/** Tags of `tag=value; tag=value`; spaces and order do not matter. Source: RFC 6376 §3.2. */
const tagsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(";").flatMap((part) => {
      const at = part.indexOf("=")
      return at < 0 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()] as const]
    })
  )

const keyTypeOf = (tags: ReadonlyMap<string, string>) => (tags.get("k") ?? "rsa").toLowerCase()
const keyOf = (tags: ReadonlyMap<string, string>) => (tags.get("p") ?? "").replaceAll(/\s/g, "")

/** SPF terms that need a DNS query, and how many of them receivers allow. Source: RFC 7208 §4.6.4. */
const asking = /^[+?~-]?(include|a|mx|ptr|exists)([:/]|$)|^redirect=/
const maxAsking = 10

/** Whether the SPF text `found` allows every address of `wanted`, and fails or soft-fails all others. */
const permits = (found: string, wanted: string): boolean => {
  const terms = termsOf(found)
  if (terms.filter((term) => asking.test(term)).length > maxAsking) return false
  const end = terms.findIndex((term) => /^[+?~-]?all$/.test(term))
  const before = end < 0 ? terms : terms.slice(0, end)
  const closed = end < 0 ? terms.some((term) => term.startsWith("redirect=")) : /^[-~]/.test(terms[end]!)
  return (
    closed &&
    termsOf(wanted)
      .filter((term) => /^\+?ip[46]:/.test(term))
      .every((term) => before.some((have) => covers(have, term)))
  )
}

const termsOf = (text: string) => text.trim().toLowerCase().split(/\s+/).slice(1)

const rangeOf = (term: string) => {
  const [, address = "", bits] = /^\+?ip[46]:([^/]+)(?:\/(\d{1,3}))?$/.exec(term) ?? []
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.parse(address)
  const whole = parsed.kind() === "ipv4" ? 32 : 128
  const length = bits === undefined ? whole : Number(bits)
  return length > whole ? undefined : { parsed, length }
}

const covers = (have: string, term: string): boolean => {
  const [outer, inner] = [rangeOf(have), rangeOf(term)]
  return (
    outer !== undefined &&
    inner !== undefined &&
    outer.parsed.kind() === inner.parsed.kind() &&
    outer.length <= inner.length &&
    (inner.parsed as ipaddr.IPv4).match(outer.parsed as ipaddr.IPv4, outer.length)
  )
}
