/** Gets a new domain checked within seconds: its phase is the sweep's current position, and the sweep is woken. */
import { Effect } from "effect"
import { Wake } from "#core/events/Wake.ts"
import * as Cadence from "../decide/Cadence.ts"
import { placeOf } from "./Schedule.ts"

/** Wake topic, announced in the transaction that inserts a domain. */
export const newDomain = "dns-verifier.domain"

/**
 * Phase until the first check replaces it by a random one, so that domains added together spread out. If the sweep has
 * passed this position, the check comes one interval later. `minute`: length of a minute of the checks in milliseconds.
 */
export const phaseNow = (minute: number): number => placeOf(Date.now(), Cadence.often * minute)

export const announce = Effect.flatMap(Wake, (wake) => wake.announce(newDomain))
