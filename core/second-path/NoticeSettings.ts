/** Settings of operator notices about the alarm path: recipients and SMTP relay. */
import { Redacted, Result } from "effect"
import * as Settings from "../config/Settings.ts"
import { stored } from "../settings/StoredSetting.ts"
import { parse, type Relay } from "./RelayAddress.ts"

/** Describes the fault of a mail address; undefined for a valid plain address `local@domain`. */
export const addressProblem = (address: string): string | undefined =>
  /^[^\s@<>()[\],;:\\"\p{C}]{1,64}@[^\s@<>()[\],;:\\"\p{C}]{1,255}$/u.test(address)
    ? undefined
    : `${address} is no mail address`

/** Setting for an optional mail address. */
export const optionalAddress = (
  name: string,
  options: { readonly doc: string }
): Settings.Setting<string | undefined> => ({
  ...Settings.optionalText(name, options),
  parse: (raw) => {
    const problem = addressProblem(raw.trim())
    return problem === undefined ? Result.succeed(raw.trim()) : Result.fail(problem)
  }
})

/**
 * Setting for an SMTP relay address. It is a secret, because it may contain a password; error messages quote nothing of
 * it.
 */
export const relayAddress = (
  name: string,
  options: { readonly doc: string }
): Settings.Setting<Redacted.Redacted | undefined> =>
  Settings.secret(name, {
    ...options,
    check: (raw) => Result.match(parse(raw), { onFailure: (problem) => problem, onSuccess: () => undefined })
  })

/** Default relay: the local mail server. */
const defaultRelay: Relay = { host: "127.0.0.1", port: 25, implicitTls: false, credentials: undefined }

/** The relay configured by a setting of `relayAddress`. */
export const relayOf = (setting: Redacted.Redacted | undefined, otherwise: Relay = defaultRelay): Relay =>
  setting === undefined ? otherwise : Result.getOrElse(parse(Redacted.value(setting)), () => otherwise)

export const noticeSettings = {
  adminEmail: stored(
    Settings.list("SIGNALBOX_ADMIN_EMAIL", {
      doc: "Recipients of mails about a broken alarm path; unset: no such mails are sent",
      default: [],
      check: addressProblem
    }),
    {
      group: "relay",
      title: { en: "Addresses of the operators", de: "Adressen der Betreiber" },
      help: {
        en: "Addresses that get a mail when the alarm path itself is broken, separated by commas.",
        de: "Adressen, die eine Mail bekommen, wenn der Alarmweg selbst gestört ist, durch Kommas getrennt."
      }
    }
  ),
  noticeRelay: stored(
    relayAddress("SIGNALBOX_NOTICE_SMTP_URL", {
      doc:
        "Relay for these mails, smtp://host:port or smtps://user:password@host:port; unset: smtp://127.0.0.1:25. " +
        "Choose a relay that does not depend on the alarm path"
    }),
    {
      group: "relay",
      title: { en: "Relay for mails to operators", de: "Relay für Mails an Betreiber" },
      help: {
        en:
          "smtp://host:port or smtps://user:password@host:port. Choose a relay that does not depend on the alarm " +
          "path. Without it: the mail server of this machine.",
        de:
          "smtp://host:port oder smtps://benutzer:passwort@host:port. Wählen Sie ein Relay, das nicht vom Alarmweg " +
          "abhängt. Ohne Angabe: der Mail-Server dieser Maschine."
      }
    }
  ),
  noticeFrom: stored(
    optionalAddress("SIGNALBOX_NOTICE_FROM", {
      doc: "Sender of these mails; unset: signalbox@ followed by the machine's name"
    }),
    {
      group: "relay",
      title: { en: "Sender of mails to operators", de: "Absender der Mails an Betreiber" },
      help: { en: "Such as signalbox@example.org.", de: "Zum Beispiel signalbox@example.org." }
    }
  )
}

/** Sender of notices without a configured one: `signalbox@` and the machine's name, when that is a valid address. */
export const defaultSender = (host: string): string => {
  const address = `signalbox@${host}`
  return addressProblem(address) === undefined ? address : "signalbox@localhost"
}
