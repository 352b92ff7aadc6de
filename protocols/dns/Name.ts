/**
 * DNS names in the stored form, in which they are compared: ASCII, lower case, without a trailing dot. Pure; sends no
 * queries and knows no list of public suffixes. Source: RFC 1035 §2.3.1, RFC 5890 (A-labels), RFC 2782 (underscores),
 * RFC 4592 (wildcards).
 */
import { domainToASCII, domainToUnicode } from "node:url"
import { Result } from "effect"
import { mixesScripts } from "./Scripts.ts"

/** Longest label. Unit: octets. Source: RFC 1035 §2.3.4. */
export const maxLabel = 63

/** Longest name. Unit: octets as text without the trailing dot; two more on the wire. Source: RFC 1035 §2.3.4. */
export const maxName = 253

/**
 * Longest typed text. Unit: UTF-16 units. Reason: it may be longer than the stored name, because spaces are trimmed and
 * marks compose.
 */
const maxTyped = 1024

export interface Domain {
  readonly ascii: string
  /** Form for people; equal to `ascii` for an ASCII name. */
  readonly unicode: string
  /** Labels in Unicode that mix scripts suspiciously. Not an error, but a person should check them. */
  readonly mixed: ReadonlyArray<string>
}

/**
 * Parses a domain that a person typed: at least two labels of letters, digits and hyphens. Underscores and wildcards
 * are only allowed in record names. The failure is a sentence that follows the name of the field. Parsing the result
 * again gives the same result.
 */
export const parseDomain = (text: string): Result.Result<Domain, string> => {
  const labels = split(text)
  if (typeof labels === "string") return Result.fail(labels)
  if (labels.length < 2) return Result.fail("must be a whole domain such as example.org")
  const problem = firstProblem(labels, hostLabel)
  if (problem !== undefined) return Result.fail(problem)
  const name = lengthProblem(labels) ?? addressProblem(labels)
  return name === undefined ? Result.succeed(domainOf(labels)) : Result.fail(name)
}

/**
 * Parses the name of a record below `domain`: `@` for the domain itself, otherwise labels. Labels may have underscores,
 * and the first may be `*`. A full name (`www.example.org`, also with a trailing dot) is accepted and shortened.
 * `domain`: a result of parseDomain.
 */
export const parseRecordName = (text: string, domain: string): Result.Result<string, string> => {
  if (text.trim() === "@" || text.trim() === "") return Result.succeed("@")
  const labels = split(text)
  if (typeof labels === "string") return Result.fail(labels)
  const problem = firstProblem(labels, recordLabel)
  if (problem !== undefined) return Result.fail(problem)
  const name = labels.join(".")
  if (name === domain) return Result.succeed("@")
  const inFull = name.endsWith(`.${domain}`)
  if (!inFull && /[.\u3002\uff0e\uff61]\s*$/u.test(text))
    return Result.fail(`must lie below ${domain}; a name with a trailing dot is one in full`)
  const below = inFull ? name.slice(0, -domain.length - 1) : name
  const tooLong = lengthProblem([...below.split("."), domain])
  return tooLong === undefined ? Result.succeed(below) : Result.fail(tooLong)
}

/**
 * Parses the full name of a host that a record points to; removes a trailing dot. Underscores are allowed because
 * targets of CNAMEs contain them.
 */
export const parseHost = (text: string): Result.Result<string, string> => {
  const labels = split(text)
  if (typeof labels === "string") return Result.fail(labels)
  const problem =
    firstProblem(labels, (label) => (label === "*" ? "must not be a wildcard" : recordLabel(label, 1))) ??
    lengthProblem(labels) ??
    addressProblem(labels)
  if (problem !== undefined) return Result.fail(problem)
  return labels.length < 2
    ? Result.fail("must be a whole host name such as mail.example.org")
    : Result.succeed(labels.join("."))
}

/** Full name of a record. `name`: as in a record set, where `@` is the domain itself. */
export const fullName = (name: string, domain: string): string => (name === "@" ? domain : `${name}.${domain}`)

/** Whether `name` is `zone` or lies below it; both in the stored form. */
export const isWithin = (name: string, zone: string): boolean =>
  zone === "" ||
  name === zone ||
  (name.length > zone.length && name.endsWith(zone) && name.charCodeAt(name.length - zone.length - 1) === dot)

const dot = 46

/** The parent of a name; the root is the empty text. */
export const parentOf = (name: string): string => {
  const at = name.indexOf(".")
  return at < 0 ? "" : name.slice(at + 1)
}

/** Labels in ASCII and lower case, or a sentence about the problem. The three other full stops are from UTS 46 §2.3. */
const split = (text: string): ReadonlyArray<string> | string => {
  const typed = text.trim()
  if (typed === "") return "must not be empty"
  if (typed.length > maxTyped) return `must have at most ${maxName} characters`
  const labels = typed
    .replace(/[\u3002\uff0e\uff61]/gu, ".")
    .replace(/\.$/, "")
    .split(".")
  if (labels.includes("")) return "must not have two dots in a row, or one in front"
  const ascii: Array<string> = []
  for (const label of labels) {
    const made = asciiLabel(label)
    if (made === undefined) return `must not contain ${JSON.stringify(shown(label))}: that is no label of a domain name`
    ascii.push(made)
  }
  return ascii
}

/** Replaces invisible characters for use in an error message. */
const shown = (label: string): string => label.replace(/[\p{C}\p{Z}]/gu, "\u{fffd}").slice(0, maxLabel)

/**
 * ASCII form of a label; undefined when it is not a valid label. Node's conversion (UTS 46, for URLs) is made for whole
 * hosts. It reads a lone number as an IPv4 address, removes line feeds, cuts at some characters and accepts invalid
 * A-labels. Therefore the code appends a second label, checks patterns, and converts back.
 */
const asciiLabel = (label: string): string | undefined => {
  if (/^[A-Za-z0-9_*-]+$/.test(label) && !/^xn--/i.test(label)) return label.toLowerCase()
  const ascii = /[\s\p{Cc}]/u.test(label) ? "" : domainToASCII(`${label}.invalid`)
  if (!ascii.endsWith(".invalid")) return undefined
  const made = ascii.slice(0, -".invalid".length)
  if (!/^[a-z0-9_-]+$/.test(made)) return undefined
  if (!made.startsWith("xn--")) return made
  const back = unicodeLabel(made)
  return back !== made && domainToASCII(`${back}.invalid`) === ascii ? made : undefined
}

const unicodeLabel = (label: string): string =>
  label.startsWith("xn--") ? domainToUnicode(`${label}.invalid`).slice(0, -".invalid".length) : label

const domainOf = (labels: ReadonlyArray<string>): Domain => {
  const unicode = labels.map(unicodeLabel)
  return { ascii: labels.join("."), unicode: unicode.join("."), mixed: unicode.filter(mixesScripts) }
}

const firstProblem = (
  labels: ReadonlyArray<string>,
  judge: (label: string, at: number) => string | undefined
): string | undefined => {
  for (const [at, label] of labels.entries()) {
    const problem =
      label.length > maxLabel
        ? `has a label of ${label.length} octets, where at most ${maxLabel} are allowed`
        : judge(label, at)
    if (problem !== undefined) return problem
  }
  return undefined
}

const hostLabel = (label: string): string | undefined =>
  label.includes("_")
    ? "must not have underscores: those are for the names of records"
    : label.includes("*")
      ? "must not be a wildcard"
      : hyphens(label)

const recordLabel = (label: string, at: number): string | undefined => {
  if (label === "*") return at === 0 ? undefined : "may have a wildcard as the first label alone"
  return label.includes("*") ? "may have * only as a whole label" : hyphens(label)
}

const hyphens = (label: string): string | undefined =>
  label.startsWith("-") || label.endsWith("-") ? "must not have labels that begin or end with a hyphen" : undefined

const lengthProblem = (labels: ReadonlyArray<string>): string | undefined => {
  const octets = labels.join(".").length
  return octets > maxName ? `has ${octets} octets, where at most ${maxName} are allowed` : undefined
}

/** Resolvers read a name that ends in a number as an IPv4 address. Source: WHATWG URL §3.5. */
const addressProblem = (labels: ReadonlyArray<string>): string | undefined =>
  /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "") ? "must be a name, not an address" : undefined
