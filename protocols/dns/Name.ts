/**
 * Names in DNS, in the one form in which they are stored and compared: ASCII, lower case, without a trailing dot. Pure.
 * Asks nobody, and knows no list of public suffixes. Source: RFC 1035 §2.3.1, RFC 5890 (A-labels), RFC 2782
 * (underscores), RFC 4592 (wildcards).
 */
import { domainToASCII, domainToUnicode } from "node:url"
import { Result } from "effect"
import { mixesScripts } from "./Scripts.ts"

/** Unit: octets. Source: RFC 1035 §2.3.4. */
export const maxLabel = 63

/** Unit: octets as text without the trailing dot; on the wire two more. Source: RFC 1035 §2.3.4. */
export const maxName = 253

/**
 * Most that is read of what somebody types. Unit: UTF-16 units. Reason: spaces around, and marks that compose, make it
 * longer than what is kept.
 */
const maxTyped = 1024

export interface Domain {
  readonly ascii: string
  /** As people read it; the same as `ascii` where nothing is beyond ASCII. */
  readonly unicode: string
  /** Labels, in Unicode, that mix scripts as no language does. No error: a person should look twice. */
  readonly mixed: ReadonlyArray<string>
}

/**
 * A domain as somebody typed it: at least two labels of letters, digits and hyphens. Underscores and wildcards are for
 * the names of records. The failure is a sentence that goes after the name of the field. What succeeds, parsed again,
 * is the same.
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
 * The name of a record below `domain`: `@` for the domain itself, otherwise labels, with underscores, and `*` as the
 * first alone. In full (`www.example.org`, also with a trailing dot) it is understood as below the domain, too.
 * `domain`: as parseDomain gives it.
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
  if (!inFull && /[.。．｡]\s*$/u.test(text))
    return Result.fail(`must lie below ${domain}; a name with a trailing dot is one in full`)
  const below = inFull ? name.slice(0, -domain.length - 1) : name
  const tooLong = lengthProblem([...below.split("."), domain])
  return tooLong === undefined ? Result.succeed(below) : Result.fail(tooLong)
}

/**
 * A host that a record points to, in full; a trailing dot is taken off. Underscores occur in targets of CNAMEs, and so
 * are left.
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

/** `name` as in a record set: `@` is the domain itself. */
export const fullName = (name: string, domain: string): string => (name === "@" ? domain : `${name}.${domain}`)

/** Whether `name` is `zone` or lies below it; both in the stored form. */
export const isWithin = (name: string, zone: string): boolean =>
  zone === "" ||
  name === zone ||
  (name.length > zone.length && name.endsWith(zone) && name.charCodeAt(name.length - zone.length - 1) === dot)

const dot = 46

/** The zone above by one label; the root is the empty text. */
export const parentOf = (name: string): string => {
  const at = name.indexOf(".")
  return at < 0 ? "" : name.slice(at + 1)
}

/** Labels in ASCII and lower case, or what is wrong. The three other full stops are those of UTS 46 §2.3. */
const split = (text: string): ReadonlyArray<string> | string => {
  const typed = text.trim()
  if (typed === "") return "must not be empty"
  if (typed.length > maxTyped) return `must have at most ${maxName} characters`
  const labels = typed
    .replace(/[。．｡]/gu, ".")
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

/** What cannot be seen is not repeated to whoever typed it. */
const shown = (label: string): string => label.replace(/[\p{C}\p{Z}]/gu, "\u{fffd}").slice(0, maxLabel)

/**
 * Undefined: no label. Node's conversion (UTS 46, for URLs) reads a lone number as an IPv4 address, takes line feeds
 * out, cuts at some characters and lets broken A-labels through: hence the second label, the patterns, and the way
 * back.
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

/** What ends in a number is an IPv4 address to whoever resolves it. Source: WHATWG URL §3.5. */
const addressProblem = (labels: ReadonlyArray<string>): string | undefined =>
  /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "") ? "must be a name, not an address" : undefined
