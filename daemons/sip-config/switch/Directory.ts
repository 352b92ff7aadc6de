/**
 * Section `directory`: who may register, how a user is rung, which domains there are. Pure but for the secrets it is
 * given.
 *
 * What holds of every answer: it never has a plain password of a phone; no user is without `<params>`, since such a one
 * would need no password at all; every domain says that an empty password is none; and of a domain of ours whoever is
 * not there is answered with the domain without them, never with "not found", which would let the switch look into its
 * own files. Source: shared wire sheet, section directory; captures A10 and A11.
 */
import type { Did, Extension, SipDomain, Telephony, Trunk, VoicemailBox } from "../routing/Exports.ts"
import { networksOf } from "./Configuration.ts"
import { clean, exact, inert, isDialable } from "./Inert.ts"
import type { Unsealed } from "./Unsealed.ts"
import { node, type Node, param, write } from "./Xml.ts"

/**
 * How long the switch may keep a user. Unit: milliseconds. Reason: a change flushes it at once; this bounds a flush
 * that got lost.
 */
const cacheable = 60_000

/** Members of a group that are listed. Unit: users. Reason: they ring together, and an answer has at most 1 MiB. */
const maxMembers = 500

/** No keypad can enter it: a mailbox without any `vm-password` would open to everybody. */
const noPin = "none"

/** As the switch fills it in: to every place where the user registered. */
const dialString =
  "{sip_invite_domain=${dialed_domain},presence_id=${dialed_user}@${dialed_domain}}${sofia_contact(*/${dialed_user}@${dialed_domain})}"

const noEmptyPassword = param("allow-empty-password", "false")
const domainParams = node("params", {}, param("dial-string", dialString), noEmptyPassword)

/** A domain with these users, or without any. */
const domain = (name: string, group: string, users: ReadonlyArray<Node>): Node =>
  users.length === 0
    ? node("domain", { name }, domainParams)
    : node(
        "domain",
        { name },
        domainParams,
        node("groups", {}, node("group", { name: group }, node("users", {}, ...users)))
      )

/** The domain and nobody in it. */
export const withoutUsers = (name: string): string => write("directory", domain(clean(name), "default", []))

/** Every domain there is, for the profile's start. */
export const domains = (telephony: Telephony): string =>
  write(
    "directory",
    ...Array.from(telephony.all("sip_domain"), ({ domain: name }) =>
      node("domain", { name }, node("params", {}, noEmptyPassword))
    )
  )

/** What a user's answer is made of beside the extension. */
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

/** A user who may register; undefined: there is none who may. */
export const user = (unsealed: Unsealed, extension: Extension, { box, did, of }: Around): string | undefined => {
  const a1 = extension.enabled && extension.tenant_id === of.tenant_id ? unsealed.a1(extension, of.domain) : undefined
  if (a1 === undefined) return undefined
  const id = clean(extension.extension)
  return write(
    "directory",
    domain(of.domain, "default", [
      node(
        "user",
        { id, "number-alias": id, cacheable: String(cacheable) },
        node("params", {}, param("a1-hash", a1), ...mailbox(unsealed, box)),
        node(
          "variables",
          {},
          variable("user_context", `tenant-${of.tenant_id}`),
          variable("effective_caller_id_name", inert(extension.name)),
          variable("effective_caller_id_number", id),
          ...(did === undefined ? [] : [variable("outbound_caller_id_number", clean(did.number))])
        )
      )
    ])
  )
}

/** A voicemail box that belongs to no phone: whoever it is cannot register. */
export const boxHolder = (unsealed: Unsealed, of: SipDomain, box: VoicemailBox): string => {
  const id = clean(box.box)
  return write(
    "directory",
    domain(of.domain, "default", [
      node(
        "user",
        { id, "number-alias": id },
        node("params", {}, noEmptyPassword, ...mailbox(unsealed, box)),
        node("variables", {}, variable("user_context", `tenant-${of.tenant_id}`))
      )
    ])
  )
}

const mailbox = (unsealed: Unsealed, box: VoicemailBox | undefined): ReadonlyArray<Node> => {
  const open = box?.enabled === true ? box : undefined
  const pin = open === undefined ? undefined : unsealed.pin(open)
  return [
    param("vm-password", pin === undefined || pin === "" ? noPin : clean(pin)),
    param("vm-enabled", String(open !== undefined)),
    ...(typeof open?.email === "string" ? [param("vm-mailto", clean(open.email))] : [])
  ]
}

const variable = (name: string, value: string): Node => node("variable", { name, value })

/**
 * Who is in a ring group, by its number or name, or in `default`, which is everybody: as pointers, by which the switch
 * asks for each.
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
        .map((id) => node("user", { id, type: "pointer" }, node("params", {}, noEmptyPassword)))
    )
  )
}

/** The networks of the domain's trunks, for access lists that name the domain. */
export const networks = (telephony: Telephony, of: SipDomain): string =>
  write(
    "directory",
    domain(
      of.domain,
      "trunks",
      telephony.trunksOf(of.tenant_id).flatMap((trunk) => {
        const networks = trunk.enabled ? networksOf(trunk) : []
        return networks.length > 0
          ? [node("user", { id: `trunk_${trunk.id}`, cidr: networks.join(",") }, node("params", {}, noEmptyPassword))]
          : []
      })
    )
  )

/** What we answer a trunk that asks for our password: the one case in which the switch needs the password itself. */
export const reverse = (unsealed: Unsealed, name: string, trunk: Trunk): string | undefined => {
  const password = unsealed.password(trunk)
  if (password === undefined || trunk.username === null) return undefined
  const id = clean(trunk.username)
  return write(
    "directory",
    domain(clean(name), "trunks", [
      node(
        "user",
        { id },
        node("params", {}, noEmptyPassword, param("reverse-auth-user", id), param("reverse-auth-pass", exact(password)))
      )
    ])
  )
}
