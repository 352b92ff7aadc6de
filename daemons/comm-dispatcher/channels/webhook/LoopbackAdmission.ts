/**
 * The one exception from the guarded dialer: an operator's demonstration may reach the loopback address and port it names,
 * with its own alarm and nothing else. Pure.
 */
import { type Cidr, parseCidr } from "#core/http/AddressGuard.ts"
import type { AlarmTrigger } from "#core/contracts/Alarm.ts"

/** What of a trigger's `admit` holds: an operator's, and loopback with a port; anything else is dropped. */
export const admissionOf = (trigger: Pick<typeof AlarmTrigger.data.Type, "admit" | "operator">): string | null =>
  trigger.operator === true && trigger.admit !== undefined && addressOf(trigger.admit) !== undefined
    ? trigger.admit
    : null

/** The network opened for one target: just that address, and only when the URL names exactly the admitted place. */
export const admittedFor = (admit: string | null, target: string): Cidr | undefined => {
  if (admit === null || URL.parse(target)?.host !== admit) return undefined
  const address = addressOf(admit)
  return address === undefined ? undefined : parseCidr(address)
}

/** `127.0.0.1:4711` or `[::1]:4711`. */
const addressOf = (admit: string): string | undefined => /^\[?(127(?:\.\d{1,3}){3}|::1)\]?:\d{1,5}$/.exec(admit)?.[1]
