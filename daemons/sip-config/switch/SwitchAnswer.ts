/**
 * Responses to the switch, made from the telephony data in memory. Pure except for the secrets and caches it is given.
 * Two caches hold until the telephony data changes: responses by decision, and responses by the deciding request
 * fields. A repeated request is then one map lookup.
 */
import { element } from "#core/html/Xml.ts"
import { memory } from "#core/lane/Remembering.ts"
import { isWebRtc } from "../directory/Exports.ts"
import {
  type Extension,
  type Freshness,
  isOurs,
  isWithheld,
  type Plan,
  route,
  type Route,
  type SipDomain,
  type Telephony,
  type Trunk,
  withheldNumber
} from "../routing/Exports.ts"
import { type Answer, answer } from "./Answer.ts"
import * as Configuration from "./Configuration.ts"
import { dialplan, keyOf } from "./Dialplan.ts"
import * as Directory from "./Directory.ts"
import { SwitchBody } from "./SwitchBody.ts"
import type { Unsealed } from "./Unsealed.ts"
import { write } from "./Xml.ts"

/** Maximum number of cached responses. Reason: three for each of ten thousand extensions, about 50 MB. */
const kept = 50_000

/** Response after which the switch uses its own files. */
export const notFound: Answer = answer(write("result", element("result", { status: "not found" })))

/** Transports of a WebRTC client as the switch names them; `ws` comes from our own proxy. */
const webSockets: ReadonlySet<string> = new Set(["ws", "wss"])

/** Maximum number of cached lookups. Reason: as many as responses; each takes about 100 bytes. */
const rememberedLookUps = 50_000

const unavailable: Route = { _tag: "Refused", status: 503 }

/** Directory action of a phone that signs in or places a call. */
const signIn = "sip_auth"

/**
 * Whether a directory request has a purpose other than its action. A sign-in has none; the search would take a fiftieth
 * of its answer. Source: sofia_reg.c.
 */
const hasPurpose = (body: SwitchBody, action: string | undefined): boolean => action !== signIn && body.has("purpose")

/** Directory actions that we do not serve. */
const foreignActions = new Set(["event_socket_auth", "jsonrpc-authenticate"])

/** Directory actions about a mailbox, which may have no extension. */
const mailboxActions = new Set(["voicemail-lookup", "message-count"])

export interface SwitchAnswers {
  /** Response to a request body. `whole`: false when only the beginning of the body was read. */
  readonly to: (bytes: Buffer, whole: boolean, freshness: Freshness) => Answer
}

export const make = (options: {
  readonly telephony: Telephony
  readonly unsealed: Unsealed
  readonly plan: Plan
  readonly ports: Configuration.SwitchPorts
  /** Whether a phone's address is banned. Default: none is. */
  readonly banned?: (address: string) => boolean
}): SwitchAnswers => {
  const { banned = () => false, plan, ports, telephony, unsealed } = options
  let answers = memory<string, Answer>(kept)
  let lookUps = memory<string, Answer>(rememberedLookUps)
  let version = telephony.version()

  /** Whether the current response may be cached by request fields. */
  let lasting = false

  /** Cached response for `key`, made if missing. */
  const keep = (key: string, make: () => string): Answer => {
    lasting = true
    let found = answers.get(key)
    if (found === undefined) answers.set(key, (found = answer(make())))
    return found
  }

  const withoutUsers = ({ domain, id }: SipDomain): Answer => keep(`d${id}`, () => Directory.withoutUsers(domain))

  /**
   * Cached by the rows used, so that changes of other rows do not expire it. After a restart of the switch thousands of
   * phones register at once.
   */
  const phones = new WeakMap<Extension, Directory.Around & { readonly answer: Answer }>()
  const phoneOf = (of: SipDomain, extension: Extension): Answer => {
    lasting = true
    const around = Directory.around(telephony, of, extension)
    const known = phones.get(extension)
    if (known !== undefined && known.of === of && known.box === around.box && known.did === around.did)
      return known.answer
    const made = answer(Directory.user(unsealed, extension, around) ?? Directory.withoutUsers(of.domain))
    phones.set(extension, { ...around, answer: made })
    return made
  }

  const userOf = (of: SipDomain, name: string, action: string | undefined, transport: string | undefined): Answer => {
    const extension = telephony.extension(of.id, name)
    if (extension?.enabled === true) {
      const isOpen =
        action === signIn &&
        transport !== undefined &&
        !webSockets.has(transport) &&
        isWebRtc(extension.extension, extension.name)
      return isOpen ? withoutUsers(of) : phoneOf(of, extension)
    }
    const box = action !== undefined && mailboxActions.has(action) ? telephony.box(of.id, name) : undefined
    return box?.enabled === true ? keep(`b${box.id}`, () => Directory.boxHolder(unsealed, of, box)) : withoutUsers(of)
  }

  /** Response for a trunk that sends us a challenge. Its realm may be any name, not only a domain of ours. */
  const reverse = (name: string, user: string): Answer | undefined => {
    const trunk = Array.from(telephony.all("trunk")).find(
      (one) => one.enabled && one.username === user && realmOf(one) === name.toLowerCase()
    )
    const text = trunk === undefined ? undefined : Directory.reverse(unsealed, name, trunk)
    return text === undefined ? undefined : answer(text)
  }

  const directory = (body: SwitchBody, freshness: Freshness): Answer => {
    const action = body.field("action")
    const purpose = action === signIn ? undefined : body.field("purpose")
    if ((action !== undefined && foreignActions.has(action)) || purpose === "nightmare_xfer") return notFound
    const name = body.field("domain") ?? (body.base("tag_name") === "domain" ? body.base("key_value") : undefined)
    if (name === undefined) {
      const all = purpose === "gateways" && !body.has("domain") && telephony.size("sip_domain") > 0
      return all ? keep("all", () => Directory.domains(telephony)) : notFound
    }
    const user = body.field("user")
    const of = telephony.domain(name)
    if (action === "reverse-auth-lookup" && freshness === "known" && user !== undefined) {
      const found = reverse(name, user)
      if (found !== undefined) return found
    }
    if (of === undefined) return freshness === "never" ? answer(Directory.withoutUsers(name)) : notFound
    if (freshness !== "known" || purpose === "gateways") return withoutUsers(of)
    if (purpose === "network-list") return keep(`n${of.id}`, () => Directory.networks(telephony, of))
    if (action === "group_call") {
      const group = body.field("group_name") ?? body.field("group")
      return group === undefined ? withoutUsers(of) : answer(Directory.group(telephony, of, group))
    }
    return user === undefined ? withoutUsers(of) : userOf(of, user, action, body.field("sip_via_protocol"))
  }

  /** Whether a caller from outside hides the number. Phones of the tenant do not. */
  const hides = (body: SwitchBody, context: string): boolean =>
    context === "public" &&
    isWithheld(body.field("Hunt-Caller-ID-Number") ?? "", body.field("Hunt-Privacy-Hide-Number"))

  const wayOf = (body: SwitchBody, context: string, hidden: boolean): Route =>
    route(telephony, plan, {
      context,
      destination: body.field("Hunt-Destination-Number") ?? "",
      caller: hidden ? withheldNumber : (body.field("Hunt-Caller-ID-Number") ?? ""),
      address: body.field("Hunt-Network-Addr") ?? "",
      ...(context === "public"
        ? nobody
        : { user: body.field("variable_user_name"), domain: body.field("variable_domain_name") })
    })

  const led = (body: SwitchBody, freshness: Freshness): Answer => {
    const context = body.field("Hunt-Context")
    if (context === undefined || !isOurs(context)) return notFound
    const hidden = hides(body, context)
    const way = freshness !== "known" ? unavailable : wayOf(body, context, hidden)
    const key = keyOf(way)
    const make = () => dialplan(context, way, hidden)
    return key === undefined ? answer(make()) : keep(`${context} ${hidden ? "h" : ""}${key}`, make)
  }

  const configuration = (body: SwitchBody, freshness: Freshness): Answer => {
    if (freshness === "never") return notFound
    switch (body.base("key_value")) {
      case "sofia.conf":
        // The file contains the trunks' passwords. A switch that gets no file keeps its current profiles.
        return freshness === "old" ? notFound : keep("sofia", () => Configuration.sofia(telephony, unsealed, ports))
      case "signalbox.conf":
        return keep("marks", () => Configuration.marks(ports))
      case "acl.conf":
        return keep("acl", () => Configuration.acl(telephony))
      case "ivr.conf": {
        const id = /^menu_([1-9]\d{0,9})$/.exec(body.field("Menu-Name") ?? "")?.[1]
        const menu = id === undefined ? undefined : telephony.get("ivr_menu", Number(id))
        return menu === undefined ? notFound : keep(`i${menu.id}`, () => Configuration.ivr(telephony, menu))
      }
      default:
        return notFound
    }
  }

  const sections: Readonly<Record<string, (body: SwitchBody, freshness: Freshness) => Answer>> = {
    directory,
    dialplan: led,
    configuration
  }

  /**
   * Whether a banned phone signs in. `ip` is the address of the phone as the switch sees it. The phone of a banned
   * address gets the domain without users, which the switch answers with 403.
   */
  const isBanned = (body: SwitchBody, action: string | undefined): boolean => {
    if (action !== signIn) return false
    const address = body.field("ip")
    return address !== undefined && banned(address)
  }

  /** Cache key of frequent requests: the undecoded fields that decide the response; undefined: not cached. */
  const lookUpOf = (section: string, body: SwitchBody, action: string | undefined): string | undefined => {
    if (section === "directory") {
      const [user, domain] = [body.raw("user"), body.raw("domain")]
      return user === undefined || domain === undefined || action === "group_call" || hasPurpose(body, action)
        ? undefined
        : `${action}&${user}&${domain}&${body.raw("sip_via_protocol")}`
    }
    if (section !== "dialplan") return undefined
    const [context, number] = [body.raw("Hunt-Context"), body.raw("Hunt-Destination-Number")]
    const caller = body.raw("Hunt-Caller-ID-Number")
    return context === "public"
      ? `&${number}&${caller}&${body.raw("Hunt-Network-Addr")}&${body.raw("Hunt-Privacy-Hide-Number")}`
      : `${context}&${number}&${caller}&${body.raw("variable_user_name")}&${body.raw("variable_domain_name")}`
  }

  /**
   * Response to a body that exceeds the limit and was read only in part. It names no user and keeps the switch from
   * searching its own files.
   */
  const ofPart = (section: string, body: SwitchBody): Answer => {
    // The context was in the unread part. A document for `global` is valid in every context.
    if (section === "dialplan") return tooLong
    const of = section === "directory" ? telephony.domain(body.base("key_value") ?? "") : undefined
    return of === undefined ? notFound : withoutUsers(of)
  }

  return {
    to: (bytes, whole, freshness) => {
      if (version !== telephony.version()) {
        version = telephony.version()
        answers = memory(kept)
        lookUps = memory(rememberedLookUps)
      }
      const body = new SwitchBody(bytes)
      const section = body.base("section") ?? ""
      const action = section === "directory" ? body.raw("action") : undefined
      if (isBanned(body, action)) {
        const of = telephony.domain(body.field("domain") ?? "")
        return of === undefined ? notFound : withoutUsers(of)
      }
      const asked = whole && freshness === "known" ? lookUpOf(section, body, action) : undefined
      const known = asked === undefined ? undefined : lookUps.get(asked)
      if (known !== undefined) return known
      if (!Object.hasOwn(sections, section)) return notFound
      if (!whole) return ofPart(section, body)
      lasting = false
      const found = sections[section]!(body, freshness)
      if (lasting && asked !== undefined) lookUps.set(asked, found)
      return found
    }
  }
}

const tooLong = answer(dialplan("global", unavailable))
const nobody = { user: undefined, domain: undefined }

const realmOf = ({ host, realm }: Trunk): string => (realm === null || realm === "" ? host : realm).toLowerCase()
