/**
 * Decides who may raise an alarm by mail: the header From against two allow lists. Pure. It does not check that the
 * header is true; SenderAuthenticity does (DKIM, SPF).
 *
 * Addresses compare without regard to ASCII case, domains in IDNA form. A domain matches itself only; `*.example.org`
 * matches every subdomain, but not `example.org`. Two empty lists allow nobody. With several From addresses all must be
 * allowed. An ambiguous header is refused.
 */
import type { Component } from "#core/daemon/Health.ts"
import { Result, Schema } from "effect"
import { addressParser } from "postal-mime"
import { normaliseDomain } from "#protocols/mail-address/Domain.ts"
import { plain } from "#protocols/mail-address/Plain.ts"
import { excerpt } from "../subject/AlarmSubjectError.ts"
import type { Alignment, AuthenticityRule } from "./SenderAuthenticity.ts"

export interface SenderLists {
  /** Whole addresses: `boss@example.org`. */
  readonly allowedSenders: ReadonlyArray<string>
  /** `example.org`, or `*.example.org`. */
  readonly allowedDomains: ReadonlyArray<string>
  /** Mail server that must authenticate senders; unset: the header From is trusted. */
  readonly authservId?: string | undefined
  /** Required alignment with the From domain; default relaxed. */
  readonly alignment?: Alignment
}

/** The lists in comparable form, built by `make`. */
export interface SenderPolicy {
  readonly senders: ReadonlySet<string>
  readonly domains: ReadonlySet<string>
  /** Suffixes of subdomain wildcards: `.example.org` for `*.example.org`. */
  readonly suffixes: ReadonlyArray<string>
  /** Used by SenderAuthenticity, not by `check`. */
  readonly authenticity: AuthenticityRule | undefined
}

/** A list entry that is no address or no domain: a configuration mistake. */
export class SenderListError extends Schema.TaggedError<SenderListError>()("SenderListError", {
  list: Schema.Literals(["allowed_senders", "allowed_domains"]),
  entry: Schema.String
}) {
  override get message(): string {
    return `${this.list}: “${excerpt(this.entry)}” is no ${this.list === "allowed_senders" ? "address" : "domain"}`
  }
}

/** Why a sender was refused. A retry does not help. */
export class SenderRefused extends Schema.TaggedError<SenderRefused>()("SenderRefused", {
  /** `NoAddress`: no From; `Ambiguous`: two readings; `NotAllowed`: on neither list. */
  reason: Schema.Literals(["NoAddress", "Ambiguous", "NotAllowed"]),
  sender: Schema.String
}) {
  override get message(): string {
    switch (this.reason) {
      case "NoAddress":
        return "The mail names no sender"
      case "Ambiguous":
        return `The From header can be read in more than one way: “${this.sender}”`
      case "NotAllowed":
        return `${this.sender} is not among the allowed senders`
    }
  }
}

/**
 * Longest From header. Unit: UTF-16 code units. Reason: enough for several addresses; bounds the cost of hostile
 * headers.
 */
const maxHeaderLength = 4_000

export const make = (lists: SenderLists): Result.Result<SenderPolicy, SenderListError> => {
  const senders = new Set<string>()
  for (const entry of lists.allowedSenders) {
    const address = normaliseAddress(entry.trim())
    // A star is a legal local part, but here it is meant as a wildcard.
    if (address === undefined || entry.includes("*"))
      return Result.fail(new SenderListError({ list: "allowed_senders", entry }))
    senders.add(address)
  }
  const domains = new Set<string>()
  const suffixes: Array<string> = []
  for (const entry of lists.allowedDomains) {
    const written = entry.trim()
    const domain = normaliseDomain(written.replace(/^\*\./, ""))
    if (domain === undefined) return Result.fail(new SenderListError({ list: "allowed_domains", entry }))
    if (written.startsWith("*.")) suffixes.push(`.${domain}`)
    else domains.add(domain)
  }
  const { alignment = "relaxed", authservId } = lists
  return Result.succeed({
    senders,
    domains,
    suffixes,
    authenticity: authservId === undefined ? undefined : { authservId, alignment }
  })
}

type Lists = Pick<SenderLists, "allowedSenders" | "allowedDomains">

/** The policy of lists that may change; built again when a list is another object. The lists must be valid. */
export const cached = (rule: Omit<SenderLists, keyof Lists>, lists: () => Lists): (() => SenderPolicy) => {
  let held: { readonly lists: Lists; readonly policy: SenderPolicy } | undefined
  return () => {
    const now = lists()
    if (held?.lists.allowedSenders !== now.allowedSenders || held.lists.allowedDomains !== now.allowedDomains)
      held = { lists: now, policy: Result.getOrThrow(make({ ...rule, ...now })) }
    return held.policy
  }
}

/** The normalised From addresses when all are allowed; otherwise the reason. Never throws. */
export const check = (policy: SenderPolicy, from: string): Result.Result<ReadonlyArray<string>, SenderRefused> => {
  const refuse = (reason: SenderRefused["reason"], sender: string) =>
    Result.fail(new SenderRefused({ reason, sender: excerpt(sender) }))
  const header = from.replace(/\r?\n(?=[ \t])/g, "").trim()
  if (header === "") return refuse("NoAddress", "")
  if (header.length > maxHeaderLength || /[^\P{C}\p{Cf}]/u.test(header) || !hasPlainAngles(header))
    return refuse("Ambiguous", header)
  const mailboxes = addressParser(header, { flatten: true })
  if (mailboxes.length === 0) return refuse("NoAddress", header)
  const addresses: Array<string> = []
  for (const { address: written } of mailboxes) {
    const address = written === undefined ? undefined : normaliseAddress(written)
    // The library decodes and drops characters. An address that is not in the header literally is refused.
    if (written === undefined || address === undefined || !header.includes(written)) return refuse("Ambiguous", header)
    if (!isAllowed(policy, address)) return refuse("NotAllowed", address)
    addresses.push(address)
  }
  return Result.succeed(addresses)
}

const isAllowed = (policy: SenderPolicy, address: string): boolean => {
  if (policy.senders.has(address)) return true
  const domain = address.slice(address.lastIndexOf("@") + 1)
  return policy.domains.has(domain) || policy.suffixes.some((suffix) => domain.endsWith(suffix))
}

/**
 * Whether every mailbox has at most one `<…>`, at its end; quotes and comments are ignored. Programs disagree on the
 * address of `<a@x> <b@y>`. The text before the colon of a group must contain no address.
 */
const hasPlainAngles = (header: string): boolean =>
  plain(header)
    ?.split(/[,;]/)
    .every((mailbox) => /^(?:[^<>@:]*:)?[^<>:]*(?:<[^<>:]*>\s*)?$/.test(mailbox)) ?? false

/**
 * Unquoted local part (RFC 5321 dot-string and, by RFC 6531, other letters) and domain; quoted local parts are refused.
 */
const normaliseAddress = (address: string): string | undefined => {
  const match = /^([^\s"<>(),:;@[\]\\\p{C}]+)@([^@]+)$/u.exec(address)
  const domain = normaliseDomain(match?.[2] ?? "")
  // ASCII case only: toLowerCase() maps the Kelvin sign to k, which is a different mailbox.
  return domain === undefined
    ? undefined
    : `${match?.[1]?.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())}@${domain}`
}

/** For `/health`. */
export const sendersComponent = (config: {
  readonly allowedSenders: ReadonlyArray<string>
  readonly allowedDomains: ReadonlyArray<string>
}): Component =>
  config.allowedSenders.length + config.allowedDomains.length === 0
    ? { status: "unconfigured", detail: "no sender may raise alarms by mail" }
    : { status: "ok" }
