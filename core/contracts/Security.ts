/** Bans: a daemon that detects attacks bans an address, and the gateway refuses requests from it. */
import { Schema } from "effect"
import ipaddr from "ipaddr.js"
import { define } from "../events/Events.ts"

/** An IP address, or a range in CIDR notation (RFC 4632, RFC 4291 §2.3). */
export const AddressOrRange = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((text: string) =>
      ipaddr.isValidCIDR(text) || (ipaddr.isValid(text) && /[.:]/.test(text))
        ? undefined
        : "must be an IP address or a range such as 192.0.2.0/24"
    )
  )
)

/**
 * Requests from the address are refused until `until`. A later event about the same address replaces an earlier one.
 */
export const BanAdded = define(
  "security.ban.added",
  Schema.Struct({
    address: AddressOrRange,
    /** Name of the violated rule: `sip-brute-force`. */
    rule: Schema.String,
    until: Schema.DateFromString,
    reason: Schema.optionalKey(Schema.String)
  })
)

/**
 * Until `until`, no daemon counts offences of the address, and bans that overlap it have no effect. A later event about
 * the same address replaces an earlier one.
 */
export const ExemptionAdded = define(
  "security.exemption.added",
  Schema.Struct({ address: AddressOrRange, until: Schema.DateFromString, reason: Schema.optionalKey(Schema.String) })
)

/** The exemption of exactly this address or range was ended before its time. */
export const ExemptionEnded = define("security.exemption.ended", Schema.Struct({ address: AddressOrRange }))

/** The ban of exactly this address or range was lifted before it expired. */
export const BanLifted = define("security.ban.lifted", Schema.Struct({ address: AddressOrRange }))
