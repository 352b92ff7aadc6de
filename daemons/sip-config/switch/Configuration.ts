/**
 * Section `configuration`: FreeSWITCH configuration files generated from our tables. For all other files the switch
 * uses its own. Pure except for the secrets it is given. Source: shared wire sheet; capture A03.
 */
import { hash } from "node:crypto"
import { type Element, element } from "#core/html/Xml.ts"
import { effectiveNetworks } from "../directory/Exports.ts"
import type { IvrMenu, Telephony, Trunk } from "../routing/Exports.ts"
import { clean, exact, inert } from "./Inert.ts"
import { entriesOf } from "./IvrEntries.ts"
import type { Unsealed } from "./Unsealed.ts"
import { param, write } from "./Xml.ts"

/** Configurable ports of the switch. */
export interface SwitchPorts {
  /** SIP over TLS. */
  readonly tls: number
}

/**
 * Fixed ports of the switch: UDP and TCP for phones, for trunks, and SIP over WebSocket with TLS. The last one is plain
 * WebSocket for the proxy on the same machine. Source: interface document 2 §2.3; defaults of FreeSWITCH.
 */
const phonePort = 5060
const trunkPort = 5080
const securePort = 7443
const proxiedBinding = "127.0.0.1:5066"

/** In the order of interface document 2 §2.3. */
const codecs = "OPUS,PCMA,PCMU"

/**
 * Lifetime of a trunk's registration, and delay after a failed one. Unit: seconds. Reason: providers accept these
 * values; one attempt a minute does not lead to a ban.
 */
const expires = 600
const retry = 60

/** Name of the access list with the trunks' networks. */
const trunkList = "trunks"

/**
 * Valid names of sound files. The switch executes some file names as commands, so an invalid greeting is replaced by a
 * second of silence.
 */
const soundFile = /^(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./-]*$/
const silence = "silence_stream://1000"

/** Wait for a further digit. Unit: milliseconds. */
const betweenDigits = 2_000

const file = (name: string, ...content: ReadonlyArray<Element>): string =>
  write("configuration", element("configuration", { name }, ...content))

const common = [
  param("dialplan", "XML"),
  param("context", "public"),
  param("inbound-codec-prefs", codecs),
  param("outbound-codec-prefs", codecs),
  param("inbound-codec-negotiation", "generous"),
  // The called side gets all codecs of the caller, not only the one chosen for the caller before.
  param("inbound-late-negotiation", "true"),
  // The switch plays by its own clock: a callee that sends no sound would otherwise hear none.
  param("rtp-timer-name", "soft"),
  param("rfc2833-pt", "101"),
  param("log-auth-failures", "true")
]

/** Settings of the profile for phones, and of the one for trunks. */
const settings = (ports: SwitchPorts) => ({
  internal: [
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
  ],
  external: [
    ...common,
    param("sip-port", String(trunkPort)),
    param("auth-calls", "false"),
    param("manage-presence", "false"),
    // This profile asks for no password, so it only accepts calls from the trunks' networks.
    param("apply-inbound-acl", trunkList)
  ]
})

/**
 * Further name of a profile, made of its settings. `sofia status` at the switch shows it, so it tells whether the
 * profile runs with these settings.
 */
const mark = (profile: string, settings: ReadonlyArray<Element>): string =>
  `signalbox-${profile}-${hash("sha256", JSON.stringify(settings)).slice(0, 8)}`

const aliases = (profile: string, settings: ReadonlyArray<Element>): Element =>
  element("aliases", {}, element("alias", { name: mark(profile, settings) }))

/** signalbox.conf: the marks of the current settings by profile. Read by calls/SwitchCheck.ts through the switch. */
export const marks = (ports: SwitchPorts): string =>
  file(
    "signalbox.conf",
    element("settings", {}, ...Object.entries(settings(ports)).map(([name, all]) => param(name, mark(name, all))))
  )

/** sofia.conf: SIP profile for phones, SIP profile for trunks, and a gateway for each trunk. */
export const sofia = (telephony: Telephony, unsealed: Unsealed, ports: SwitchPorts): string => {
  const { external, internal } = settings(ports)
  return file(
    "sofia.conf",
    element(
      "profiles",
      {},
      element(
        "profile",
        { name: "internal" },
        aliases("internal", internal),
        element("domains", {}, element("domain", { name: "all", alias: "true", parse: "false" })),
        element("settings", {}, ...internal)
      ),
      element(
        "profile",
        { name: "external" },
        aliases("external", external),
        element("gateways", {}, ...enabled(telephony).map((trunk) => gateway(unsealed, trunk))),
        element("settings", {}, ...external)
      )
    )
  )
}

const gateway = (unsealed: Unsealed, trunk: Trunk): Element => {
  const password = unsealed.password(trunk)
  const host = inert(trunk.host)
  const address = trunk.host.includes(":") ? `[${clean(trunk.host)}]` : host
  // The switch rejects a gateway without user name and password, even if the provider asks for none.
  const [username, secret] =
    trunk.username !== null && password !== undefined ? [exact(trunk.username), exact(password)] : ["none", "none"]
  return element(
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
    // A provider may call the registered contact; the dialled number is then in To.
    param("extension", "auto")
  )
}

/** acl.conf: access list of the networks from which trunks send calls. */
export const acl = (telephony: Telephony): string =>
  file(
    "acl.conf",
    element(
      "network-lists",
      {},
      element(
        "list",
        { name: trunkList, default: "deny" },
        ...enabled(telephony)
          .flatMap(effectiveNetworks)
          .map((cidr) => element("node", { type: "allow", cidr }))
      )
    )
  )

/** ivr.conf with one menu. */
export const ivr = (telephony: Telephony, menu: IvrMenu): string => {
  const greeting = soundFile.test(menu.greeting) ? menu.greeting : silence
  return file(
    "ivr.conf",
    element(
      "menus",
      {},
      element(
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
            : [element("entry", { action: target.action, digits: entry.digits, param: target.param })]
        })
      )
    )
  )
}

const enabled = (telephony: Telephony): ReadonlyArray<Trunk> =>
  Array.from(telephony.all("trunk"))
    .filter(({ enabled }) => enabled)
    .sort((a, b) => a.id - b.id)
