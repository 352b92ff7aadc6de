/**
 * Exception from the address guard: the demo alarm of an operator may send its webhook to one loopback address and
 * port. Pure.
 */
import { type Cidr, parseCidr } from "#core/http/AddressGuard.ts"
import type { AlarmTrigger } from "#core/contracts/Alarm.ts"

/** The valid `admit` of a trigger: an operator's, and loopback with a port; otherwise null. */
export const admissionOf = (trigger: Pick<typeof AlarmTrigger.data.Type, "admit" | "operator">): string | null =>
  trigger.operator === true && trigger.admit !== undefined && addressOf(trigger.admit) !== undefined
    ? trigger.admit
    : null

/** The network opened for one target: that address only, and only when the URL names the admitted address and port. */
export const admittedFor = (admit: string | null, target: string): Cidr | undefined => {
  if (admit === null || URL.parse(target)?.host !== admit) return undefined
  const address = addressOf(admit)
  return address === undefined ? undefined : parseCidr(address)
}

/** `127.0.0.1:4711` or `[::1]:4711`. */
const addressOf = (admit: string): string | undefined => /^\[?(127(?:\.\d{1,3}){3}|::1)\]?:\d{1,5}$/.exec(admit)?.[1]
