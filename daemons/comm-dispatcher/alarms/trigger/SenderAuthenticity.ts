/**
 * Checks the sender's authenticity: whether the configured mail server confirms the header From in its topmost
 * Authentication-Results. Pure. Source: RFC 8601 §5 (trusted header), RFC 7489 §3.1 (alignment).
 *
 * Every From domain needs an aligned pass: of DKIM (header.d, or the domain of header.i without header.d), of SPF
 * (smtp.mailfrom), or of DMARC (header.from, equal). A result that is unreadable, repeated, missing or of another
 * server authenticates nobody. A session that signed in to our own listener is authentic.
 */
import { Result, Schema } from "effect"
import { getDomain } from "tldts"
import type { AlarmSource } from "#core/contracts/Alarm.ts"
import { type MethodResult, parse } from "#protocols/authentication-results/AuthenticationResults.ts"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"
import { excerpt } from "../subject/AlarmSubjectError.ts"

/**
 * `relaxed`: same organisational domain (public suffix list). `strict`: same domain; a DMARC result does not suffice.
 */
export type Alignment = "relaxed" | "strict"

export interface AuthenticityRule {
  /** Id of our mail server in the header; compared without regard to case. */
  readonly authservId: string
  readonly alignment: Alignment
}

/** Why a sender is not authenticated. A retry does not help. */
export class SenderUnauthenticated extends Schema.TaggedError<SenderUnauthenticated>()("SenderUnauthenticated", {
  /**
   * `NoHeader`: missing or too long; `Unreadable`: not RFC 8601; `OtherServer`: not ours; `NotAligned`: no aligned
   * pass.
   */
  reason: Schema.Literals(["NoHeader", "Unreadable", "OtherServer", "NotAligned"]),
  detail: Schema.String
}) {
  /** For the ledger; text of the mail is shown as excerpts. */
  override get message(): string {
    return `the sender is not authenticated: ${this.detail}`
  }
}

/**
 * Maximum number of results shown in a refusal. Reason: what mail servers usually write; the ledger has the whole
 * header.
 */
const shownResults = 6

/** Checks `addresses`, the From addresses normalised by SenderPolicy. Triggers that are no mails pass. */
export const check = (
  rule: AuthenticityRule | undefined,
  addresses: ReadonlyArray<string>,
  source: AlarmSource
): Result.Result<void, SenderUnauthenticated> => {
  if (rule === undefined || (source.kind !== "imap" && source.kind !== "smtp")) return Result.void
  if (source.kind === "smtp" && source.authenticated === true) return Result.void
  const refuse = (reason: SenderUnauthenticated["reason"], detail: string) =>
    Result.fail(new SenderUnauthenticated({ reason, detail }))
  const header = source.authentication_results
  if (header === undefined) return refuse("NoHeader", "the mail has no Authentication-Results header that can be read")
  const parsed = parse(header)
  if (Result.isFailure(parsed))
    return refuse("Unreadable", `its topmost Authentication-Results cannot be read: ${parsed.failure.message}`)
  const { authservId, results } = parsed.success
  if (serverOf(authservId) !== serverOf(rule.authservId)) {
    return refuse(
      "OtherServer",
      `its topmost Authentication-Results is of “${excerpt(authservId)}”, not of “${excerpt(rule.authservId)}”`
    )
  }
  const proven = results.flatMap(provenDomains(rule.alignment))
  const domains = addresses.map((address) => address.slice(address.lastIndexOf("@") + 1))
  const bare = domains.find((domain) => !proven.some((each) => isAligned(each, domain)))
  if (domains.length > 0 && bare === undefined) return Result.void
  return refuse("NotAligned", `nothing passed for “${excerpt(bare ?? "")}” (${shown(results)})`)
}

/** A domain that passed, and the alignment required of a From domain. */
interface Proven {
  readonly domain: string
  readonly alignment: Alignment
}

const provenDomains =
  (alignment: Alignment) =>
  (result: MethodResult): ReadonlyArray<Proven> => {
    if (result.result !== "pass" || result.methodVersion !== 1) return []
    const domain = provenDomain(result)
    // A DMARC pass used the domain owner's alignment, which may be relaxed.
    if (domain === undefined || (result.method === "dmarc" && alignment === "strict")) return []
    return [{ domain, alignment: result.method === "dmarc" ? "strict" : alignment }]
  }

const provenDomain = (result: MethodResult): string | undefined => {
  const said = (type: string, name: string) =>
    result.properties.filter((property) => property.type === type && property.name === name)
  const one = (type: string, name: string) => {
    const found = said(type, name)
    // A repeated property is ambiguous.
    return found.length === 1 ? normaliseDomain(found[0]!.value.slice(found[0]!.value.lastIndexOf("@") + 1)) : undefined
  }
  switch (result.method) {
    case "dkim":
      // The signature belongs to header.d; header.i lies within it (RFC 6376 §3.5).
      return said("header", "d").length > 0 ? one("header", "d") : one("header", "i")
    case "spf":
      return one("smtp", "mailfrom")
    case "dmarc":
      return one("header", "from")
  }
  return undefined
}

const isAligned = (proven: Proven, from: string): boolean => {
  if (proven.domain === from) return true
  const organisation = organisationOf(from)
  return proven.alignment === "relaxed" && organisation !== undefined && organisationOf(proven.domain) === organisation
}

/**
 * Undefined for public suffixes and addresses. Private suffixes count: customers of one hoster are separate
 * organisations.
 */
const organisationOf = (domain: string): string | undefined =>
  getDomain(domain, { allowPrivateDomains: true, extractHostname: false, detectIp: true }) ?? undefined

/** A server's id is usually a host name, but need not be. */
const serverOf = (id: string): string => normaliseDomain(id.trim()) ?? id.trim().toLowerCase()

const shown = (results: ReadonlyArray<MethodResult>): string => {
  if (results.length === 0) return "no results"
  const words = results.slice(0, shownResults).map((result) => {
    const domain = provenDomain(result)
    return `${excerpt(result.method)}=${excerpt(result.result)}${domain === undefined ? "" : ` ${excerpt(domain)}`}`
  })
  return `${words.join(", ")}${results.length > shownResults ? ", …" : ""}`
}
