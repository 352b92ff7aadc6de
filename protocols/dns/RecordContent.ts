/**
 * Canonical record contents, in which they are stored and compared; people and providers write them in other forms.
 * Host names are full, lower case, without a trailing dot: `10 mail.example.org`, `0 1 993 mail.example.org`, `0 issue
 * "ca.example"`. A TXT is one text without quotes (TxtText.ts). Pure. It does not know the other records of a name.
 */
import { isIPv4 } from "node:net"
import { Result } from "effect"
import { canonicalIPv6 } from "./AddressText.ts"
import { parseHost } from "./Name.ts"
import { canonicalTxt } from "./TxtText.ts"

/** Record types that people can create. */
export const recordTypes = ["A", "AAAA", "CNAME", "MX", "TXT", "SRV", "CAA"] as const
export type RecordType = (typeof recordTypes)[number]

/**
 * Longest typed content. Unit: UTF-16 units. Reason: longer than any useful content; only a TXT with every octet
 * escaped would be longer.
 */
const maxTyped = 10_000

/** The canonical content, or a sentence that follows the name of the field. Canonical content stays unchanged. */
export const canonicalContent = (type: string, content: string): Result.Result<string, string> => {
  const canonical = types.get(type)
  if (canonical === undefined)
    return Result.fail(refused.get(type) ?? `must be of a record type that is kept here: ${recordTypes.join(", ")}`)
  if (content.length > maxTyped) return Result.fail(`must have at most ${maxTyped} characters`)
  const control = /\p{C}/u.exec(content.trim())
  if (control !== null) {
    const code = (control[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")
    return Result.fail(`must not contain the invisible character U+${code}`)
  }
  return canonical(content.trim())
}

/**
 * Problem of a record type at this name, whatever the content. `name`: relative to the domain, `@` for the domain
 * itself.
 */
export const placeProblem = (type: string, name: string): string | undefined => {
  if (type === "CNAME" && name === "@")
    return "a CNAME cannot stand at the domain itself, where SOA and NS records are: use A and AAAA"
  if (type === "MX" && name.split(".").some((label) => label.startsWith("_")))
    return "an MX belongs to a name that mail is sent to, which has no underscores"
  return undefined
}

const refused: ReadonlyMap<string, string> = new Map([
  ["NS", "must not be NS: who runs a zone is set where the domain is registered"],
  ["SOA", "must not be SOA: the name server writes that by itself"],
  ["ALIAS", "must not be ALIAS: that is no record but a provider's own; use A and AAAA"],
  ["SPF", "must not be SPF: that type was given up (RFC 7208 §3.1); use TXT"]
])

const ipv4 = (text: string) =>
  isIPv4(text) ? Result.succeed(text) : Result.fail("must be an IPv4 address such as 192.0.2.1")

const ipv6 = (text: string) => {
  const address = canonicalIPv6(text)
  return address === undefined ? Result.fail("must be an IPv6 address such as 2001:db8::1") : Result.succeed(address)
}

/** A host, or `.` for a service that does not exist: RFC 7505 for MX, RFC 2782 for SRV. */
const hostOrNone = (text: string) =>
  text === "." ? Result.succeed(".") : Result.mapError(parseHost(text), (problem) => `has a host that ${problem}`)

/** Hosts for mail and services must be host names, without underscores. Source: RFC 5321 §2.3.5, RFC 2782. */
const realHost = (text: string) =>
  text.includes("_") ? Result.fail("has a host that must not have underscores") : hostOrNone(text)

const mx = (text: string): Result.Result<string, string> => {
  const [, digits, target] = /^(\d{1,5})\s+(\S+)$/.exec(text) ?? []
  if (digits === undefined || target === undefined)
    return Result.fail("must be a priority and a host such as 10 mail.example.org")
  const priority = number16(digits)
  if (priority === undefined) return Result.fail("must have a priority from 0 to 65535")
  return Result.map(realHost(target), (host) => `${priority} ${host}`)
}

const srv = (text: string): Result.Result<string, string> => {
  const [, priority, weight, port, target] = /^(\d{1,5})\s+(\d{1,5})\s+(\d{1,5})\s+(\S+)$/.exec(text) ?? []
  if (target === undefined)
    return Result.fail("must be priority, weight, port and host such as 0 1 993 mail.example.org")
  const numbers = [priority, weight, port].map((digits) => number16(digits ?? ""))
  if (numbers.includes(undefined)) return Result.fail("must have numbers from 0 to 65535 as priority, weight and port")
  return Result.map(realHost(target), (host) => `${numbers.join(" ")} ${host}`)
}

/** Canonical CAA content. Refuses values with quotes or backslashes; real values are plain ASCII (RFC 8659 §4.1). */
const caa = (text: string): Result.Result<string, string> => {
  const [, flags, tag, quoted, bare] = /^(\d{1,3})\s+([a-z0-9]{1,15})\s+(?:"([^"\\]*)"|([^"\\\s]*))$/i.exec(text) ?? []
  if (flags === undefined || tag === undefined)
    return Result.fail('must be flags, a tag and a value such as 0 issue "letsencrypt.org"')
  if (Number(flags) > 255) return Result.fail("must have flags from 0 to 255")
  const value = quoted ?? bare ?? ""
  return /^[\x20-\x7e]{0,255}$/.test(value)
    ? Result.succeed(`${Number(flags)} ${tag.toLowerCase()} "${value}"`)
    : Result.fail("must have a value of at most 255 characters of ASCII")
}

const number16 = (digits: string): number | undefined =>
  /^\d{1,5}$/.test(digits) && Number(digits) <= 65_535 ? Number(digits) : undefined

const types: ReadonlyMap<string, (text: string) => Result.Result<string, string>> = new Map([
  ["A", ipv4],
  ["AAAA", ipv6],
  ["CNAME", parseHost],
  ["MX", mx],
  ["TXT", canonicalTxt],
  ["SRV", srv],
  ["CAA", caa]
] as const)
