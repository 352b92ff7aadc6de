/**
 * Section `configuration`: the files that follow from our tables. Of all others, and those of other modules, nothing is
 * said, so that the switch's own stand. Pure but for the secrets it is given. Source: shared wire sheet; capture A03.
 */
import ipaddr from "ipaddr.js"
import { isIP } from "node:net"
import type { IvrMenu, Telephony, Trunk } from "../routing/Exports.ts"
import { clean, exact, inert } from "./Inert.ts"
import { entriesOf } from "./IvrEntries.ts"
import type { Unsealed } from "./Unsealed.ts"
import { node, type Node, param, write } from "./Xml.ts"

/** Where phones and trunks reach the switch. */
export interface SwitchPorts {
  /** SIP over TLS. */
  readonly tls: number
}

/**
 * UDP and TCP for phones, for trunks; SIP over WebSocket with TLS, and without for the proxy on the same machine.
 * Source: interface document 2 §2.3; the switch's habit.
 */
const phonePort = 5060
const trunkPort = 5080
const securePort = 7443
const proxiedBinding = "127.0.0.1:5066"

/** In the order of the interface document 2 §2.3. */
const codecs = "OPUS,PCMA,PCMU"

/**
 * How long a trunk's registration stands, and when a failed one is tried again. Unit: seconds. Reason: what providers
 * take; one try a minute bans nobody.
 */
const expires = 600
const retry = 60

/** Access list of the trunks' networks. */
const trunkList = "trunks"

/**
 * Names of sound files and of nothing else: the switch runs commands, too, by what stands for a file. Another greeting
 * is a second of silence.
 */
const soundFile = /^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./-]*$/
const silence = "silence_stream://1000"

/** Waiting for a further digit. Unit: milliseconds. */
const betweenDigits = 2_000

const file = (name: string, ...content: ReadonlyArray<Node>): string =>
  write("configuration", node("configuration", { name }, ...content))

/** sofia.conf: the profile of phones and that of trunks, with a gateway for each trunk. */
export const sofia = (telephony: Telephony, unsealed: Unsealed, ports: SwitchPorts): string => {
  const trunks = enabled(telephony)
  const common = [
    param("dialplan", "XML"),
    param("context", "public"),
    param("inbound-codec-prefs", codecs),
    param("outbound-codec-prefs", codecs),
    param("inbound-codec-negotiation", "generous"),
    param("rfc2833-pt", "101"),
    param("log-auth-failures", "true")
  ]
  return file(
    "sofia.conf",
    node(
      "profiles",
      {},
      node(
        "profile",
        { name: "internal" },
        node("domains", {}, node("domain", { name: "all", alias: "true", parse: "false" })),
        node(
          "settings",
          {},
          ...common,
          param("sip-port", String(phonePort)),
          param("tls", "true"),
          param("tls-sip-port", String(ports.tls)),
          param("ws-binding", proxiedBinding),
          param("wss-binding", `:${securePort}`),
          param("auth-calls", "true"),
          param("accept-blind-reg", "false"),
          param("accept-blind-auth", "false"),
          param("challenge-realm", "auto_to"),
          param("inbound-reg-force-matching-username", "true"),
          param("manage-presence", "true")
        )
      ),
      node(
        "profile",
        { name: "external" },
        node("gateways", {}, ...trunks.map((trunk) => gateway(unsealed, trunk))),
        node(
          "settings",
          {},
          ...common,
          param("sip-port", String(trunkPort)),
          param("auth-calls", "false"),
          param("manage-presence", "false"),
          // Calls come in here without any password: from nobody whose networks no trunk names.
          param("apply-inbound-acl", trunkList)
        )
      )
    )
  )
}

const gateway = (unsealed: Unsealed, trunk: Trunk): Node => {
  const password = unsealed.password(trunk)
  const host = inert(trunk.host)
  const address = trunk.host.includes(":") ? `[${clean(trunk.host)}]` : host
  // The switch takes no gateway without both, also where nobody asks for them.
  const [username, secret] =
    trunk.username !== null && password !== undefined ? [exact(trunk.username), exact(password)] : ["none", "none"]
  return node(
    "gateway",
    { name: `trunk_${trunk.id}` },
    param("username", username),
    param("password", secret),
    param("realm", trunk.realm === null || trunk.realm === "" ? address : clean(trunk.realm)),
    param("proxy", `${address}:${trunk.port}`),
    param("register", String(trunk.register && secret !== "none")),
    param("register-transport", trunk.transport),
    param("expire-seconds", String(expires)),
    param("retry-seconds", String(retry)),
    param("caller-id-in-from", "true"),
    param("contact-params", `transport=${trunk.transport}`)
  )
}

/** acl.conf: from where trunks call. */
export const acl = (telephony: Telephony): string =>
  file(
    "acl.conf",
    node(
      "network-lists",
      {},
      node(
        "list",
        { name: trunkList, default: "deny" },
        ...enabled(telephony)
          .flatMap(networksOf)
          .map((cidr) => node("node", { type: "allow", cidr }))
      )
    )
  )

/** From where a trunk's calls come: its networks, or its host where that is an address. */
export const networksOf = ({ host, networks }: Trunk): ReadonlyArray<string> =>
  networks.length > 0
    ? networks.filter((cidr) => ipaddr.isValidCIDR(cidr))
    : isIP(host) === 0
      ? []
      : [`${host}/${isIP(host) === 4 ? 32 : 128}`]

/** ivr.conf with one menu. */
export const ivr = (telephony: Telephony, menu: IvrMenu): string => {
  const greeting = soundFile.test(menu.greeting) ? menu.greeting : silence
  return file(
    "ivr.conf",
    node(
      "menus",
      {},
      node(
        "menu",
        {
          name: `menu_${menu.id}`,
          "greet-long": greeting,
          "greet-short": greeting,
          "invalid-sound": "ivr/ivr-that_was_an_invalid_entry.wav",
          "exit-sound": "voicemail/vm-goodbye.wav",
          timeout: String(menu.timeout * 1000),
          "inter-digit-timeout": String(betweenDigits),
          "max-failures": String(menu.max_failures),
          "max-timeouts": String(menu.max_failures),
          "digit-len": String(Math.max(1, ...entriesOf(menu).map(({ digits }) => digits.length)))
        },
        ...entriesOf(menu).flatMap((entry) => {
          const target = entry.target(telephony)
          return target === undefined
            ? []
            : [node("entry", { action: target.action, digits: entry.digits, param: target.param })]
        })
      )
    )
  )
}

const enabled = (telephony: Telephony): ReadonlyArray<Trunk> =>
  Array.from(telephony.all("trunk"))
    .filter(({ enabled }) => enabled)
    .sort((a, b) => a.id - b.id)
