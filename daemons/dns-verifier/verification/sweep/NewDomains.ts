/**
 * A domain that is new is looked at within seconds: it is placed where the sweep is just now, and the sweep is told to
 * look.
 */
import { Effect } from "effect"
import { Wake } from "#core/events/Wake.ts"
import * as Cadence from "../decide/Cadence.ts"
import { placeOf } from "./Schedule.ts"

/** Announced with the transaction that makes a domain. */
export const newDomain = "dns-verifier.domain"

/**
 * Its phase until the first look gives it one by chance, lest domains that came together stay together. Where a round
 * passed by before the domain could be seen, it is looked at an interval later. `minute`: of the checks, in
 * milliseconds.
 */
export const phaseNow = (minute: number): number => placeOf(Date.now(), Cadence.often * minute)

export const announce = Effect.flatMap(Wake, (wake) => wake.announce(newDomain))
