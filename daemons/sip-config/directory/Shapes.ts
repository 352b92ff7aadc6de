/** Schemas shared by the requests of sip-config. */
import { Schema } from "effect"
import ipaddr from "ipaddr.js"
import { BodyId, plainText } from "#core/http/Paging.ts"
import { maxAddress, normaliseEmail } from "#protocols/mail-address/EmailAddress.ts"
import { isTooWide, shortestPrefix } from "./trunks/Networks.ts"
import { hostName, internalNumber, maxDomain, maxNumber, sipDomain } from "./Names.ts"
import { maxSpelling } from "./numbers/Spellings.ts"

/** Text that `normalise` accepts. Text that is too long gets only the error about its length. */
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
/** Number of an extension, a ring group or a voicemail box. */
export const InternalNumber = named(maxNumber, internalNumber, "must be digits, or a name of letters, digits, - and _")

/** Telephone number in any usual spelling. The handler checks it further, because that needs the default country. */
export const PhoneNumber = named(
  maxSpelling,
  (text) => (/^[+\d(][\d\s()/.-]*$/.test(text) ? text : undefined),
  "must be a telephone number such as +49301234567"
)

/** Name for people. Unit of the limit: UTF-16 code units. Reason: phone displays show far fewer. */
export const Name = plainText(100)

/** Pattern for the caller's number. Unit of the limit: characters. Reason: fits 15 digits with stars between them. */
export const Pattern = named(
  32,
  (text) => (/^(?:\+?[\d*?]+|anonymous)$/.test(text) ? text : undefined),
  "must be digits, +, * and ?, or the word anonymous"
)

/**
 * Sound file below the switch's sound folder. Other names are rejected, because the switch executes some file names as
 * commands.
 */
export const Sound = named(
  200,
  (text) => (/^(?:[\w-]+\/)*[\w-]+\.(?:wav|mp3|ogg|opus)$/.test(text) ? text : undefined),
  "must be a sound file such as ivr/welcome.wav"
)

/** Keys that select an entry of a menu. Unit of the limit: digits. Reason: fits an extension's number. */
export const Digits = named(8, (text) => (/^[\d*#]+$/.test(text) ? text : undefined), "must be digits, * or #")

/** PIN of a voicemail box. Unit of the limits: digits. Reason: hard to guess by telephone, yet easy to remember. */
export const Pin = Schema.String.pipe(
  Schema.check(
    Schema.isMinLength(6),
    Schema.isMaxLength(12),
    Schema.makeFilter((text: string) => (/^\d*$/.test(text) ? undefined : "must be digits"))
  )
)

export const Email = named(maxAddress, normaliseEmail, "must be a whole mail address")

/** Integer from `minimum` to `maximum`. */
export const whole = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** User name at a trunk provider. Unit of the limit: UTF-16 code units. */
export const Username = plainText(128)

/**
 * Password chosen by the client. Unit of the limits: characters. Reason: all vendors compute the same digest for
 * printable ASCII only.
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

/** Password of an extension. Strangers try to guess these all the time, so short ones are rejected. */
export const Password = password(12)
/** Password of a trunk; the provider chooses it. */
export const TrunkPassword = password(1)

export const Cidr = named(
  43,
  (text) => (ipaddr.isValidCIDR(text) && isNetwork(text) && !isTooWide(text) ? text : undefined),
  `must be an address range such as 192.0.2.0/24, ` +
    `of at least ${shortestPrefix.ipv4} bits (IPv6: ${shortestPrefix.ipv6})`
)

/** Postgres rejects a CIDR range with bits set beyond its prefix length. */
const isNetwork = (text: string): boolean => {
  const [address, length] = ipaddr.parseCIDR(text)
  const first =
    address.kind() === "ipv4" ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text)
  return length >= 0 && first.toNormalizedString() === address.toNormalizedString()
}

/** Tenant of a new object; only service tokens may name another tenant than their own. */
export const ofTenant = { tenant_id: Schema.optionalKey(BodyId) }
