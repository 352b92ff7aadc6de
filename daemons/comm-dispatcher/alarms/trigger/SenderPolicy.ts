/**
 * Who may raise an alarm by mail: the addresses of the header From against two lists. Pure. It judges what the header
 * says, not whether the header is true: SenderAuthenticity does, by what the receiving mail server found (DKIM, SPF).
 *
 * Addresses compare without regard to ASCII case, domains as IDNA writes them. A domain stands for itself only;
 * `*.example.org` for everything below it, at any depth, and not for `example.org`. Two empty lists allow nobody.
 * With several From addresses all must be allowed. A header that two readers could read differently is refused.
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
  /** The own mail server whose word a sender needs; unset: the header From is believed. */
  readonly authservId?: string | undefined
  /** How near what the server found has to be to the From domain; default relaxed. */
  readonly alignment?: Alignment
}

/** The lists in comparable form; made once by `make`. */
export interface SenderPolicy {
  readonly senders: ReadonlySet<string>
  readonly domains: ReadonlySet<string>
  /** `.example.org` for `*.example.org`. */
  readonly suffixes: ReadonlyArray<string>
  /** For SenderAuthenticity; `check` does not look at it. */
  readonly authenticity: AuthenticityRule | undefined
}

/** An entry of the lists that is no address or no domain: a mistake in the configuration. */
export class SenderListError extends Schema.TaggedError<SenderListError>()("SenderListError", {
  list: Schema.Literals(["allowed_senders", "allowed_domains"]),
  entry: Schema.String
}) {
  override get message(): string {
    return `${this.list}: “${excerpt(this.entry)}” is no ${this.list === "allowed_senders" ? "address" : "domain"}`
  }
}

/** Why a sender was turned away. A retry does not help. */
export class SenderRefused extends Schema.TaggedError<SenderRefused>()("SenderRefused", {
  /** `NoAddress`: no From; `Ambiguous`: can be read in two ways; `NotAllowed`: on neither list. */
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

/** Unit: UTF-16 units. Reason: generous for several addresses; keeps hostile headers cheap. */
const maxHeaderLength = 4_000

export const make = (lists: SenderLists): Result.Result<SenderPolicy, SenderListError> => {
  const senders = new Set<string>()
  for (const entry of lists.allowedSenders) {
    const address = normaliseAddress(entry.trim())
    // A star would be a legal local part; whoever writes it here means a wildcard.
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

/** The normalised addresses of the header From, all of them allowed; or why not. Never throws. */
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
    // The library decodes and drops characters: an address that does not stand in the header as read is none.
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
 * Outside quotes and comments every mailbox has at most one `<…>`, and at its end. `<a@x> <b@y>` and the like are read as
 * one address by some programs and as the other by the rest. What stands before the colon of a group holds no address.
 */
const hasPlainAngles = (header: string): boolean =>
  plain(header)
    ?.split(/[,;]/)
    .every((mailbox) => /^(?:[^<>@:]*:)?[^<>:]*(?:<[^<>:]*>\s*)?$/.test(mailbox)) ?? false

/** Unquoted local part (RFC 5321 dot-string and, by RFC 6531, other letters) and domain; quoted local parts are refused. */
const normaliseAddress = (address: string): string | undefined => {
  const match = /^([^\s"<>(),:;@[\]\\\p{C}]+)@([^@]+)$/u.exec(address)
  const domain = normaliseDomain(match?.[2] ?? "")
  // Only ASCII case: toLowerCase() turns the Kelvin sign into a k, which is another mailbox.
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
    ? { status: "unconfigured", detail: "nobody may raise alarms by mail" }
    : { status: "ok" }
