/** Fields of requests about bans and exemptions, and their limits. Pure. */
import { Schema } from "effect"
import { AddressOrRange } from "#core/contracts/Security.ts"
import { plainText } from "#core/http/Paging.ts"

/** Where a ban or an alert comes from: our own daemons and people, or CrowdSec. */
export const sources = ["own", "crowdsec"] as const
export const Source = Schema.Literals(sources)

/**
 * - `ban`: a ban of our own. `lift`: it was lifted.
 * - `exemption`: an exemption began. `exemption_end`: it was ended before its time.
 * - `offence`: CrowdSec's alert about an address.
 */
export const alertKinds = ["ban", "lift", "exemption", "exemption_end", "offence"] as const
export const AlertKind = Schema.Literals(alertKinds)

/** Rule of a ban that a person made. */
export const manualRule = "manual"

/** Longest name of a rule. Unit: characters. Reason: names of CrowdSec's scenarios have up to 60. */
export const maxRule = 200

/** Longest reason. Unit: characters. */
export const maxReason = 500

/** Shortest ban or exemption. Unit: seconds. */
export const minDuration = 60

/** Longest ban. Unit: seconds. Reason: an address has another owner after a year. */
export const maxBan = 366 * 86_400

/** Longest exemption. Unit: seconds. Reason: permanent exemptions belong in the settings. */
export const maxExemption = 90 * 86_400

/** Exemption after a lift. Unit: seconds. Reason: a person corrects a password in a program within an hour. */
export const liftExemption = 3_600

/** Days of the summary. */
export const maxDays = 90
export const defaultDays = 30

export const Address = AddressOrRange.pipe(Schema.check(Schema.isMaxLength(49)))
export const Rule = plainText(maxRule)
export const Reason = plainText(maxReason)

const between = (minimum: number, maximum: number) => Schema.isBetween({ minimum, maximum })

export const BanSeconds = Schema.Int.check(between(minDuration, maxBan))
export const ExemptionSeconds = Schema.Int.check(between(minDuration, maxExemption))

/** Query text with a whole number. 0: no exemption. */
export const LiftSeconds = Schema.NumberFromString.pipe(
  Schema.decodeTo(
    Schema.Int.check(
      Schema.makeFilter((value: number) =>
        value === 0 || (value >= minDuration && value <= maxExemption)
          ? undefined
          : `must be 0 or ${minDuration} to ${maxExemption} seconds`
      )
    )
  )
)
export const Days = Schema.NumberFromString.pipe(Schema.decodeTo(Schema.Int.check(between(1, maxDays))))
