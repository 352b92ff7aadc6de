/**
 * Section `directory`: users with their credentials, ring groups and SIP domains. Pure except for the secrets it is
 * given. Source: shared wire sheet, section directory; captures A10 and A11.
 *
 * Every response keeps these rules:
 * - It never contains the plain password of a phone.
 * - Every user has `<params>`; without them the switch would ask for no password.
 * - Every domain forbids empty passwords.
 * - An unknown user of our domain gives the domain without users. After "not found" the switch would search its own
 *   files.
 */
import { type Element, element } from "#core/html/Xml.ts"
import type { Did, Extension, SipDomain, Telephony, Trunk, VoicemailBox } from "../routing/Exports.ts"
import { effectiveNetworks, isWebRtc } from "../directory/Exports.ts"
import { clean, exact, inert, isDialable } from "./Inert.ts"
import type { Unsealed } from "./Unsealed.ts"
import { param, write } from "./Xml.ts"

/**
 * How long the switch may cache a user. Unit: milliseconds. Reason: every change flushes the cache; this bounds the
 * effect of a lost flush.
 */
const cacheable = 60_000

/** Maximum number of users listed for one group. Reason: they all ring together, and a response has at most 1 MiB. */
const maxMembers = 500

/** PIN that no keypad can enter. A mailbox without `vm-password` would be open to everybody. */
const noPin = "none"

/** Dial string, filled in by the switch: rings all registrations of the user. */
const dialString =
  "{sip_invite_domain=${dialed_domain},presence_id=${dialed_user}@${dialed_domain}}" +
  "${sofia_contact(*/${dialed_user}@${dialed_domain})}"

const noEmptyPassword = param("allow-empty-password", "false")
const domainParams = element("params", {}, param("dial-string", dialString), noEmptyPassword)

/** Domain element with the given users, or without any. */
const domain = (name: string, group: string, users: ReadonlyArray<Element>): Element =>
  users.length === 0
    ? element("domain", { name }, domainParams)
    : element(
        "domain",
        { name },
        domainParams,
        element("groups", {}, element("group", { name: group }, element("users", {}, ...users)))
      )

/** Document with a domain that has no users. */
export const withoutUsers = (name: string): string => write("directory", domain(clean(name), "default", []))

/** Document with all domains, which the switch reads when a profile starts. */
export const domains = (telephony: Telephony): string =>
  write(
    "directory",
    ...Array.from(telephony.all("sip_domain"), ({ domain: name }) =>
      element("domain", { name }, element("params", {}, noEmptyPassword))
    )
  )

/** Rows that a user's document needs besides the extension. */
export interface Around {
  readonly of: SipDomain
  readonly box: VoicemailBox | undefined
  readonly did: Did | undefined
}

export const around = (telephony: Telephony, of: SipDomain, extension: Extension): Around => {
  const line = telephony.linesOf(extension.id).find(({ did_id: did }) => did !== null)
  return {
    of,
    box: telephony.box(of.id, extension.extension),
    did: line === undefined ? undefined : telephony.get("did", line.did_id!)
  }
}

/** Document of a user; undefined when the user may not register. */
export const user = (unsealed: Unsealed, extension: Extension, { box, did, of }: Around): string | undefined => {
  const a1 = extension.enabled && extension.tenant_id === of.tenant_id ? unsealed.a1(extension, of.domain) : undefined
  if (a1 === undefined) return undefined
  const id = clean(extension.extension)
  return write(
    "directory",
    domain(of.domain, "default", [
      element(
        "user",
        { id, "number-alias": id, cacheable: String(cacheable) },
        element("params", {}, param("a1-hash", a1), ...mailbox(unsealed, box)),
        element(
          "variables",
          {},
          variable("user_context", `tenant-${of.tenant_id}`),
          variable("effective_caller_id_name", inert(extension.name)),
          variable("effective_caller_id_number", id),
          ...(isWebRtc(extension.extension, extension.name) ? [variable("rtp_secure_media", "mandatory")] : []),
          ...(did === undefined ? [] : [variable("outbound_caller_id_number", clean(did.number))])
        )
      )
    ])
  )
}

/** Document of a voicemail box without an extension; nobody can register as it. */
export const boxHolder = (unsealed: Unsealed, of: SipDomain, box: VoicemailBox): string => {
  const id = clean(box.box)
  return write(
    "directory",
    domain(of.domain, "default", [
      element(
        "user",
        { id, "number-alias": id },
        element("params", {}, noEmptyPassword, ...mailbox(unsealed, box)),
        element("variables", {}, variable("user_context", `tenant-${of.tenant_id}`))
      )
    ])
  )
}

const mailbox = (unsealed: Unsealed, box: VoicemailBox | undefined): ReadonlyArray<Element> => {
  const open = box?.enabled === true ? box : undefined
  const pin = open === undefined ? undefined : unsealed.pin(open)
  return [
    param("vm-password", pin === undefined || pin === "" ? noPin : clean(pin)),
    param("vm-enabled", String(open !== undefined)),
    ...(typeof open?.email === "string" ? [param("vm-mailto", clean(open.email))] : [])
  ]
}

const variable = (name: string, value: string): Element => element("variable", { name, value })

/**
 * Members of a ring group, found by number or name; `default` is every extension of the domain. Members are pointers:
 * the switch requests each user separately.
 */
export const group = (telephony: Telephony, of: SipDomain, name: string): string => {
  const wanted = name.toLowerCase()
  const numbers =
    wanted === "default"
      ? telephony.extensionsOf(of.id).map(({ extension }) => extension)
      : ((telephony.group(of.id, name) ?? telephony.groupsOf(of.id).find((one) => one.name.toLowerCase() === wanted))
          ?.extensions ?? [])
  const members = [...new Set(numbers)].flatMap((number) => {
    const extension = telephony.extension(of.id, number)
    return extension?.enabled === true && isDialable(extension.extension) ? [extension.extension] : []
  })
  return write(
    "directory",
    domain(
      of.domain,
      clean(name),
      members
        .slice(0, maxMembers)
        .map((id) => element("user", { id, type: "pointer" }, element("params", {}, noEmptyPassword)))
    )
  )
}

/** Networks of the trunks, for access lists that name the domain. */
export const networks = (telephony: Telephony, of: SipDomain): string =>
  write(
    "directory",
    domain(
      of.domain,
      "trunks",
      telephony.trunksOf(of.tenant_id).flatMap((trunk) => {
        const networks = trunk.enabled ? effectiveNetworks(trunk) : []
        return networks.length > 0
          ? [
              element(
                "user",
                { id: `trunk_${trunk.id}`, cidr: networks.join(",") },
                element("params", {}, noEmptyPassword)
              )
            ]
          : []
      })
    )
  )

/** Password for a trunk that sends us a challenge; the only case in which the switch needs a plain password. */
export const reverse = (unsealed: Unsealed, name: string, trunk: Trunk): string | undefined => {
  const password = unsealed.password(trunk)
  if (password === undefined || trunk.username === null) return undefined
  const id = clean(trunk.username)
  return write(
    "directory",
    domain(clean(name), "trunks", [
      element(
        "user",
        { id },
        element(
          "params",
          {},
          noEmptyPassword,
          param("reverse-auth-user", id),
          param("reverse-auth-pass", exact(password))
        )
      )
    ])
  )
}
