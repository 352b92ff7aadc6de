/**
 * Settings of the telephone switch's event socket, for the daemons that use it.
 */
import { Redacted } from "effect"
import { isIP } from "node:net"
import { stored } from "../settings/StoredSetting.ts"
import * as Settings from "./Settings.ts"

/**
 * Password of the switch's stock configuration. Anyone who reaches the port with it controls the machine. Source:
 * event_socket.conf.xml.
 */
const stockPassword = "ClueCon"

/** The problem of a password, as a sentence. */
const passwordProblem = (password: string): string | undefined =>
  password === stockPassword
    ? "is the switch's default password, which gives anyone who reaches the port control of the machine; " +
      "change it in event_socket.conf.xml and here"
    : /[\r\n]/.test(password)
      ? "must be one line"
      : undefined

/** The problem of a host name or address, as a sentence. */
export const hostProblem = (host: string): string | undefined =>
  isIP(host) !== 0 || /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/.test(host) ? undefined : "must be a host name or an address"

export const switchSettings = {
  switchHost: stored(
    Settings.optionalText("SIGNALBOX_SWITCH_HOST", {
      doc: "Host of the telephone switch's event socket; unset: calls fail as unconfigured, and calls are not recorded",
      check: hostProblem
    }),
    {
      group: "switch",
      title: { en: "Host of the switch", de: "Host der Telefonanlage" },
      help: {
        en:
          "Host with the event socket of the telephone switch, such as 127.0.0.1. Without it no calls are made or " +
          "recorded.",
        de:
          "Host mit dem Event-Socket der Telefonanlage, zum Beispiel 127.0.0.1. Ohne ihn wird nicht angerufen, und " +
          "Anrufe werden nicht aufgezeichnet."
      }
    }
  ),
  switchPort: stored(
    Settings.port("SIGNALBOX_SWITCH_PORT", { doc: "Port of the switch's event socket", default: 8021 }),
    {
      group: "switch",
      title: { en: "Port of the switch", de: "Port der Telefonanlage" },
      help: { en: "Port of the event socket.", de: "Port des Event-Sockets." }
    }
  ),
  switchPassword: stored(
    Settings.secret("SIGNALBOX_SWITCH_PASSWORD", {
      doc: "Password of the switch's event socket",
      check: passwordProblem
    }),
    {
      group: "switch",
      title: { en: "Password of the switch", de: "Passwort der Telefonanlage" },
      help: {
        en: "Password in event_socket.conf.xml. The default password is refused.",
        de: "Passwort aus event_socket.conf.xml. Das Standardpasswort wird abgelehnt."
      }
    }
  )
}

/** Fields of `switchSettings` that decide about the connection. */
export type SwitchConfig = Settings.Values<typeof switchSettings>

/** The values that the connection is made with; another value means another connection. */
export const switchValues = (config: SwitchConfig) =>
  [config.switchHost, config.switchPort, config.switchPassword] as const

/** Name of the first setting without which there is no connection; undefined: all are set. */
export const missingOf = ({ switchHost, switchPassword }: SwitchConfig): string | undefined =>
  switchHost === undefined
    ? switchSettings.switchHost.name
    : switchPassword === undefined
      ? switchSettings.switchPassword.name
      : undefined

/** Options of the connection with the values of `config` at each access. */
export const lineOptions = (config: SwitchConfig) => ({
  get host() {
    return config.switchHost ?? ""
  },
  get port() {
    return config.switchPort
  },
  get password() {
    return config.switchPassword ?? Redacted.make("")
  }
})
