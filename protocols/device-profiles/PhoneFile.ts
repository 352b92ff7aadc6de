/**
 * Decides which file a phone asks for, by the name after the provisioning address. Pure. Phones append names of their
 * own to an address that ends with a slash; Snom phones and Linphone load the address as it was entered.
 */
import type { SipAccount } from "./Accounts.ts"
import * as Grandstream from "./Grandstream.ts"
import * as Linphone from "./Linphone.ts"
import * as Snom from "./Snom.ts"
import * as Yealink from "./Yealink.ts"

export type PhoneKind = "yealink" | "snom" | "grandstream" | "linphone"

/** A file for a phone. `CommonFile` has no account: all phones of a model load it first. */
export type PhoneFile = { readonly _tag: "Account"; readonly kind: PhoneKind } | { readonly _tag: "CommonFile" }

/** Names are matched in any letter case. Undefined: no phone of these kinds asks for it, or it is optional. */
export const phoneFile = (name: string): PhoneFile | undefined => {
  const lower = name.toLowerCase()
  if (Yealink.commonFile.test(lower)) return { _tag: "CommonFile" }
  const found = names.find(([, pattern]) => pattern.test(lower))
  return found === undefined ? undefined : { _tag: "Account", kind: found[0] }
}

/** Twelve digits of the phone's own address on the network. */
const mac = "[0-9a-f]{12}"

const names: ReadonlyArray<readonly [PhoneKind, RegExp]> = [
  ["yealink", new RegExp(`^(${mac}|yealink)\\.cfg$`)],
  ["snom", new RegExp(`^snom(([a-z0-9]+)?-${mac})?\\.(xml|htm)$`)],
  ["grandstream", new RegExp(`^(cfg${mac}|grandstream)\\.xml$`)],
  ["linphone", /^linphone\.xml$/]
]

/** Text and media type of the file for `sip`. */
export const written = (kind: PhoneKind, sip: SipAccount): { readonly text: string; readonly mediaType: string } =>
  writers[kind](sip)

const writers: Readonly<Record<PhoneKind, (sip: SipAccount) => { readonly text: string; readonly mediaType: string }>> =
  {
    yealink: (sip) => ({ text: Yealink.yealink(sip), mediaType: Yealink.mediaType }),
    snom: (sip) => ({ text: Snom.snom(sip), mediaType: Snom.mediaType }),
    grandstream: (sip) => ({ text: Grandstream.grandstream(sip), mediaType: Grandstream.mediaType }),
    linphone: (sip) => ({ text: Linphone.linphone(sip), mediaType: Linphone.mediaType })
  }
