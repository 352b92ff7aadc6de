/** Shapes that the requests of sip-config share. */
import { Schema } from "effect"
import ipaddr from "ipaddr.js"
import { BodyId, plainText } from "#core/http/Paging.ts"
import { maxAddress, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { hostName, internalNumber, maxDomain, maxNumber, sipDomain } from "./Names.ts"
import { maxSpelling } from "./numbers/Spellings.ts"

/** Text that `normalise` takes; what is too long says so by itself. */
const named = (maximum: number, normalise: (text: string) => unknown, message: string) =>
  Schema.String.pipe(
    Schema.check(
      Schema.isMinLength(1),
      Schema.isMaxLength(maximum),
      Schema.makeFilter((text: string) =>
        text !== "" && text.length <= maximum && normalise(text) === undefined ? message : undefined
      )
    )
  )

export const SipDomain = named(maxDomain, sipDomain, "must be a domain such as voice.example.org")
export const Host = named(maxDomain, hostName, "must be a host name or an IP address")
/** Of an extension, a ring group or a voicemail box. */
export const InternalNumber = named(maxNumber, internalNumber, "must be digits, or a name of letters, digits, - and _")

/** As people write telephone numbers; what is no number is told by the handler, which knows the country. */
export const PhoneNumber = named(
  maxSpelling,
  (text) => (/^[+\d(][\d\s()/.-]*$/.test(text) ? text : undefined),
  "must be a telephone number such as +49301234567"
)

/** What people read. Unit: UTF-16 units. Reason: a phone's display shows far less. */
export const Name = plainText(100)

/** Of the caller's number. Unit of its bound: characters. Reason: a number of 15 digits, and stars between them. */
export const Pattern = named(
  32,
  (text) => (/^(?:\+?[\d*?]+|anonymous)$/.test(text) ? text : undefined),
  "must be digits, +, * and ?, or the word anonymous"
)

/** A file below the switch's sounds: no other way to name one, as the switch also runs commands by names of files. */
export const Sound = named(
  200,
  (text) => (/^(?:[\w-]+\/)*[\w-]+\.(?:wav|mp3|ogg|opus)$/.test(text) ? text : undefined),
  "must be a sound file such as ivr/welcome.wav"
)

/** What a caller keys in. Unit of its bound: digits. Reason: an extension's number. */
export const Digits = named(8, (text) => (/^[\d*#]+$/.test(text) ? text : undefined), "must be digits, * or #")

/** Of a voicemail box. Unit: digits. Reason: what strangers guess at by telephone, and people remember. */
export const Pin = Schema.String.pipe(
  Schema.check(
    Schema.isMinLength(6),
    Schema.isMaxLength(12),
    Schema.makeFilter((text: string) => (/^\d*$/.test(text) ? undefined : "must be digits"))
  )
)

export const Email = named(maxAddress, normaliseEmail, "must be a whole mail address")

/** A whole number between the two. */
export const whole = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** A user name at a provider. Unit: UTF-16 units. */
export const Username = plainText(128)

/**
 * A password that was made elsewhere. Unit: characters. Reason: printable ASCII is what digests of all makers agree on.
 */
const password = (minimum: number) =>
  Schema.String.pipe(
    Schema.check(
      Schema.isMinLength(minimum),
      Schema.isMaxLength(128),
      Schema.makeFilter((text: string) =>
        /^[\x21-\x7e]*$/.test(text) ? undefined : "must be printable ASCII without spaces"
      )
    )
  )

/** Of a phone: strangers guess at it day and night. */
export const Password = password(12)
/** Of a trunk: its provider made it. */
export const TrunkPassword = password(1)

export const Cidr = named(
  43,
  (text) => (ipaddr.isValidCIDR(text) && isNetwork(text) ? text : undefined),
  "must be an address range such as 192.0.2.0/24"
)

/** Postgres takes no range with bits set beyond its length. */
const isNetwork = (text: string): boolean => {
  const [address, length] = ipaddr.parseCIDR(text)
  const first =
    address.kind() === "ipv4" ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text)
  return length >= 0 && first.toNormalizedString() === address.toNormalizedString()
}

/** Whose the new thing is; only service tokens name another tenant than their own. */
export const ofTenant = { tenant_id: Schema.optionalKey(BodyId) }

export const strict = { errors: "all", onExcessProperty: "error" } as const
