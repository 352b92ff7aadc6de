/**
 * Parser for the value of one Authentication-Results header, in which a receiving mail server records its checks of a
 * mail. Pure. It trusts nothing: the caller decides who wrote the header and what each result is worth. Source: RFC
 * 8601 §2.2.
 *
 * Strict: a header that breaks the grammar fails as a whole, so a forged part is never returned. Four deviations are
 * accepted because mail servers produce them: a `;` at the end, no results at all, values with unquoted special
 * characters (`header.b=a/b+c=`), and an empty value before `;`. Words other than properties (`action=none`,
 * `x-bits=2048`) are accepted and left out.
 *
 * The library mailauth 7.1.0 also returns results of a header with an unclosed quote. It takes 3.7 times as long (a
 * header with three results, Node 24).
 */
import { Result } from "effect"
import { AuthenticationResultsError } from "./AuthenticationResultsError.ts"
import { type Scanner, scanner } from "./Scanner.ts"

export interface AuthenticationResults {
  /** Identifier of the server that wrote the header, as it appears in the header. */
  readonly authservId: string
  /** Results in the order of the header; empty for `none`. */
  readonly results: ReadonlyArray<MethodResult>
}

/** Result of one authentication method. Names are in lower case; values are unchanged, without quotes. */
export interface MethodResult {
  /** Authentication method: `dkim`, `spf`, `dmarc`, … (IANA: Email Authentication Methods). */
  readonly method: string
  /** 1 when the header names none. RFC 8601 §2.6: readers ignore results with a version that they do not know. */
  readonly methodVersion: number
  /** Result of the method: `pass`, `fail`, `none`, … */
  readonly result: string
  readonly reason: string | undefined
  readonly properties: ReadonlyArray<Property>
}

/** `header.d=example.org` has the type `header` and the name `d`. One name may occur more than once. */
export interface Property {
  readonly type: string
  readonly name: string
  readonly value: string
}

/**
 * Longest header. Unit: UTF-16 units. Reason: real headers stay below 2,000, and below 8,000 with twenty signatures.
 */
export const maxLength = 8_000

/** Parses the value of a header, folded or unfolded. */
export const parse = (header: string): Result.Result<AuthenticationResults, AuthenticationResultsError> => {
  const fail = (reason: AuthenticationResultsError["reason"], position: number) =>
    Result.fail(new AuthenticationResultsError({ reason, position }))
  if (header.length > maxLength) return fail("TooLong", maxLength)
  const control = forbidden.exec(header)
  if (control !== null) return fail("ControlCharacter", control.index)
  const scan = scanner(header)
  const malformed = () => fail("Malformed", scan.position())

  const authservId = scan.space() ? scan.value() : undefined
  if (authservId === undefined || authservId === "" || !scan.space()) return malformed()
  const versionAt = scan.position()
  const version = scan.digits()
  if (version !== undefined && version !== 1) return fail("Version", versionAt)
  const results: Array<MethodResult> = []
  let none = false
  if (!scan.space()) return malformed()
  while (!scan.atEnd()) {
    // `none` stands for the whole header: no result may follow it.
    if (none || !scan.take(";") || !scan.space()) return malformed()
    if (scan.atEnd()) break
    const method = scan.keyword()
    if (method === undefined || !scan.space()) return malformed()
    if (method === "none" && results.length === 0 && (scan.atEnd() || scan.at(";"))) {
      none = true
      if (scan.take(";") && !scan.space()) return malformed()
      continue
    }
    const found = methodResult(scan, method)
    if (found === undefined) return malformed()
    results.push(found)
  }
  return Result.succeed({ authservId, results })
}

/** Parses the rest of a result, from the end of the method name to the next `;` or the end. */
const methodResult = (scan: Scanner, method: string): MethodResult | undefined => {
  let methodVersion = 1
  if (scan.take("/")) {
    const given = scan.space() ? scan.digits() : undefined
    if (given === undefined || !scan.space()) return undefined
    methodVersion = given
  }
  if (!scan.take("=") || !scan.space()) return undefined
  const result = scan.keyword()
  if (result === undefined || !scan.space()) return undefined
  const properties: Array<Property> = []
  let reason: string | undefined
  while (!scan.atEnd() && !scan.at(";")) {
    const word = scan.keyword()
    if (word === undefined || !scan.space()) return undefined
    const dotted = scan.take(".")
    const name = dotted && scan.space() ? scan.keyword() : undefined
    if ((dotted && name === undefined) || !scan.space() || !scan.take("=") || !scan.space()) return undefined
    const value = scan.value()
    if (value === undefined || !scan.space()) return undefined
    if (name !== undefined) properties.push({ type: word, name, value })
    else if (word === "reason") reason = value
  }
  return { method, methodVersion, result, reason, properties }
}

/** Control characters except tab and except line breaks that fold the header. */
// eslint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\r(?!\n)|\n(?![ \t])/
