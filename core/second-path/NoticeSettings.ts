/** Settings of operator notices about the alarm path: recipients and SMTP relay. */
import { Redacted, Result } from "effect"
import * as Settings from "../config/Settings.ts"
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
): Settings.Setting<Redacted.Redacted | undefined> => {
  const setting = Settings.secret(name, options)
  return {
    ...setting,
    parse: (raw) =>
      Result.match(parse(raw), { onFailure: (problem) => Result.fail(problem), onSuccess: () => setting.parse(raw) })
  }
}

/** Default relay: the local mail server. */
const defaultRelay: Relay = { host: "127.0.0.1", port: 25, implicitTls: false, credentials: undefined }

/** The relay configured by a setting of `relayAddress`. */
export const relayOf = (setting: Redacted.Redacted | undefined, otherwise: Relay = defaultRelay): Relay =>
  setting === undefined ? otherwise : Result.getOrElse(parse(Redacted.value(setting)), () => otherwise)

export const noticeSettings = {
  adminEmail: Settings.list("SIGNALBOX_ADMIN_EMAIL", {
    doc: "Recipients of mails about a broken alarm path; unset: no such mails are sent",
    default: [],
    check: addressProblem
  }),
  noticeRelay: relayAddress("SIGNALBOX_NOTICE_SMTP_URL", {
    doc:
      "Relay for these mails, smtp://host:port or smtps://user:password@host:port; unset: smtp://127.0.0.1:25. " +
      "Choose a relay that does not depend on the alarm path"
  }),
  noticeFrom: optionalAddress("SIGNALBOX_NOTICE_FROM", {
    doc: "Sender of these mails; unset: signalbox@ followed by the machine's name"
  })
}
