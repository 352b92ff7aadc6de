/** Where operators' notices about the alarm path go, and by which relay. */
import { Redacted, Result } from "effect"
import * as Settings from "../config/Settings.ts"
import { parse, type Relay } from "./RelayAddress.ts"

/** What is wrong with an address that we send to or from; only plain ones, `local@domain`. */
export const addressProblem = (address: string): string | undefined =>
  /^[^\s@<>()[\],;:\\"\p{C}]{1,64}@[^\s@<>()[\],;:\\"\p{C}]{1,255}$/u.test(address)
    ? undefined
    : `${address} is no mail address`

/** An address, or `undefined` when not set. */
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

/** The address of a relay, a secret because it may hold a password; refused with a sentence that holds none of it. */
export const relayAddress = (
  name: string,
  options: { readonly doc: string }
): Settings.Setting<Redacted.Redacted | undefined> => {
  const setting = Settings.secret(name, options)
  return {
    ...setting,
    parse: (raw) =>
      Result.match(parse(raw), { onFailure: (problem) => Result.fail(problem), onSuccess: () => setting.parse(raw) })
  }
}

/** The relay when nothing is said: what a machine that sends mail at all has. */
const defaultRelay: Relay = { host: "127.0.0.1", port: 25, implicitTls: false, credentials: undefined }

/** The relay behind a setting of `relayAddress`. */
export const relayOf = (setting: Redacted.Redacted | undefined, otherwise: Relay = defaultRelay): Relay =>
  setting === undefined ? otherwise : Result.getOrElse(parse(Redacted.value(setting)), () => otherwise)

export const noticeSettings = {
  adminEmail: Settings.list("SIGNALBOX_ADMIN_EMAIL", {
    doc: "Addresses that are told by mail when the alarm path itself is broken; unset: nobody is told by mail",
    default: [],
    check: addressProblem
  }),
  noticeRelay: relayAddress("SIGNALBOX_NOTICE_SMTP_URL", {
    doc:
      "Relay for these mails, smtp://host:port or smtps://user:password@host:port; unset: smtp://127.0.0.1:25. Choose one " +
      "that works while the alarm path does not"
  }),
  noticeFrom: optionalAddress("SIGNALBOX_NOTICE_FROM", {
    doc: "Sender of these mails; unset: signalbox@ and the machine's name"
  })
}
