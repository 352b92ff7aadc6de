import { words } from "../../../lib/Language.ts"
import { kind } from "../Kind.ts"
import { common, enabledField, nameField } from "./Common.ts"
import { State } from "./Shown.tsx"

const t = words({
  en: {
    title: "Trunks",
    add: "Add a trunk",
    none: "No trunk yet. A trunk connects to a telephone provider: calls come in and go out by it.",
    host: "Provider's server",
    port: "Port",
    transport: "Transport",
    username: "User name",
    password: "Password",
    passwordHint: "The provider's. What is there stays unless you type another.",
    register: "Register there",
    registerHint: "Needs user name and password.",
    realm: "Realm",
    realmHint: "As a rule empty: what the provider asks with.",
    caller: "Number shown",
    callerHint: "Of calls that have none of their own.",
    networks: "Address ranges its calls come from",
    network: "Add a range",
    networksHint: "Such as 192.0.2.0/24. None: its server alone. The operator confirms new ranges.",
    pending: "waits for confirmation:",
    registers: "registers",
    registersNot: "does not register"
  },
  de: {
    title: "Anschlüsse",
    add: "Anschluss hinzufügen",
    none: "Noch kein Anschluss. Ein Anschluss verbindet mit einem Telefonanbieter: Anrufe kommen und gehen darüber.",
    host: "Server des Anbieters",
    port: "Port",
    transport: "Transport",
    username: "Benutzername",
    password: "Passwort",
    passwordHint: "Das des Anbieters. Leer: Das gespeicherte bleibt.",
    register: "Dort anmelden",
    registerHint: "Braucht Benutzernamen und Passwort.",
    realm: "Realm",
    realmHint: "In der Regel leer: Der Realm, den der Anbieter nennt.",
    caller: "Gezeigte Nummer",
    callerHint: "Bei Anrufen, die keine eigene haben.",
    networks: "Adressbereiche, aus denen Anrufe kommen",
    network: "Bereich hinzufügen",
    networksHint: "Etwa 192.0.2.0/24. Keine: nur sein Server. Der Betreiber bestätigt neue Bereiche.",
    pending: "wartet auf Bestätigung:",
    registers: "meldet sich an",
    registersNot: "meldet sich nicht an"
  }
})

export const trunks = kind("/api/v1/sip/trunks", {
  title: () => t().title,
  add: () => t().add,
  none: () => t().none,
  called: ({ name }) => name,
  manage: "sip.manage",
  fields: [
    nameField,
    { name: "host", label: () => t().host, input: { kind: "text" }, required: true },
    { name: "port", label: () => t().port, input: { kind: "number", min: 1, max: 65_535 }, initial: "5060" },
    {
      name: "transport",
      label: () => t().transport,
      input: {
        kind: "choice",
        options: [
          ["udp", () => "UDP"],
          ["tcp", () => "TCP"],
          ["tls", () => "TLS"]
        ]
      }
    },
    { name: "username", label: () => t().username, input: { kind: "text" }, nullable: true },
    {
      name: "password",
      label: () => t().password,
      hint: () => t().passwordHint,
      input: { kind: "secret" },
      needs: "sip.credentials.write"
    },
    { name: "register", label: () => t().register, hint: () => t().registerHint, input: { kind: "check" } },
    { name: "realm", label: () => t().realm, hint: () => t().realmHint, input: { kind: "text" }, nullable: true },
    {
      name: "caller_id",
      label: () => t().caller,
      hint: () => t().callerHint,
      input: { kind: "text", type: "tel" },
      nullable: true
    },
    {
      name: "networks",
      label: () => t().networks,
      hint: () => t().networksHint,
      input: { kind: "list", add: () => t().network, ordered: false }
    },
    enabledField
  ],
  columns: [
    { title: () => common().name, show: ({ name }) => <strong>{name}</strong> },
    { title: () => t().host, show: ({ host, port, transport }) => `${host}:${port} ${transport.toUpperCase()}` },
    {
      title: () => t().username,
      show: ({ register, username }) => (
        <>
          {username ?? "–"}
          <small class="block">{register ? t().registers : t().registersNot}</small>
        </>
      )
    },
    { title: () => t().caller, show: ({ caller_id }) => caller_id ?? "–" },
    {
      title: () => common().state,
      show: ({ enabled, networks_pending: pending }) => (
        <>
          <State enabled={enabled} />
          {pending.length > 0 && (
            <small class="block">
              {t().pending} {pending.join(", ")}
            </small>
          )}
        </>
      )
    }
  ]
})
