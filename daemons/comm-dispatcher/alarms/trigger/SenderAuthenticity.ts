/**
 * Whether the sender of a mail is who the header From says, by the word of the configured own mail server: its topmost
 * Authentication-Results. Pure. Source: RFC 8601 §5 (whose header to trust), RFC 7489 §3.1 (alignment).
 *
 * Every From domain needs a pass of its own that is aligned with it: of DKIM (header.d, or the domain of header.i where the
 * server writes no header.d), of SPF (smtp.mailfrom), or of DMARC (header.from, equal). What is not understood, said twice,
 * said by another server or not said at all authenticates nobody. A peer that signed in to our own listener is authentic.
 */
import { Result, Schema } from "effect"
import { getDomain } from "tldts"
import type { AlarmSource } from "#core/contracts/Alarm.ts"
import { type MethodResult, parse } from "#protocols/authentication-results/AuthenticationResults.ts"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"
import { excerpt } from "../subject/AlarmSubjectError.ts"

/** `relaxed`: same organisational domain (public suffix list); `strict`: the same domain, and DMARC's word is not enough. */
export type Alignment = "relaxed" | "strict"

export interface AuthenticityRule {
  /** As our server writes itself in the header; compares without regard to case. */
  readonly authservId: string
  readonly alignment: Alignment
}

/** Why a sender passes for nobody. A retry does not help. */
export class SenderUnauthenticated extends Schema.TaggedError<SenderUnauthenticated>()("SenderUnauthenticated", {
  /** `NoHeader`: none, or too long; `Unreadable`: not RFC 8601; `OtherServer`: not ours; `NotAligned`: nothing aligned passed. */
  reason: Schema.Literals(["NoHeader", "Unreadable", "OtherServer", "NotAligned"]),
  detail: Schema.String
}) {
  /** For the ledger; every piece of the mail in it is an excerpt. */
  override get message(): string {
    return `the sender is not authenticated: ${this.detail}`
  }
}

/** Results that a refusal shows. Reason: what a mail server usually writes; the header itself is in the ledger. */
const shownResults = 6

/** `addresses`: the From addresses as SenderPolicy normalised them. Triggers that are no mails are none of its business. */
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

/** A domain that passed, and how near a From domain has to be to it. */
interface Proven {
  readonly domain: string
  readonly alignment: Alignment
}

const provenDomains =
  (alignment: Alignment) =>
  (result: MethodResult): ReadonlyArray<Proven> => {
    if (result.result !== "pass" || result.methodVersion !== 1) return []
    const domain = provenDomain(result)
    // A server that says DMARC passed went by the domain owner's alignment, which may be relaxed.
    if (domain === undefined || (result.method === "dmarc" && alignment === "strict")) return []
    return [{ domain, alignment: result.method === "dmarc" ? "strict" : alignment }]
  }

const provenDomain = (result: MethodResult): string | undefined => {
  const said = (type: string, name: string) =>
    result.properties.filter((property) => property.type === type && property.name === name)
  const one = (type: string, name: string) => {
    const found = said(type, name)
    // Said twice, it could be read in two ways.
    return found.length === 1 ? normaliseDomain(found[0]!.value.slice(found[0]!.value.lastIndexOf("@") + 1)) : undefined
  }
  switch (result.method) {
    case "dkim":
      // The signature is of header.d; header.i is the signer's own remark, which lies within it (RFC 6376 §3.5).
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

/** Undefined for public suffixes and addresses. Private suffixes count: two customers of one hoster are strangers. */
const organisationOf = (domain: string): string | undefined =>
  getDomain(domain, { allowPrivateDomains: true, extractHostname: false, detectIp: true }) ?? undefined

/** A server's id is usually, and not always, a host name. */
const serverOf = (id: string): string => normaliseDomain(id.trim()) ?? id.trim().toLowerCase()

const shown = (results: ReadonlyArray<MethodResult>): string => {
  if (results.length === 0) return "no results"
  const words = results.slice(0, shownResults).map((result) => {
    const domain = provenDomain(result)
    return `${excerpt(result.method)}=${excerpt(result.result)}${domain === undefined ? "" : ` ${excerpt(domain)}`}`
  })
  return `${words.join(", ")}${results.length > shownResults ? ", …" : ""}`
}
