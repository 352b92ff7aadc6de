/** What an address is banned for at the switch, and what of the switch's events counts. Pure. */
import { Duration } from "effect"
import type { BanRule } from "#core/bans/BanDecision.ts"

/** Wrong passwords. Source: interface document 3 §2.6, "SIP brute force 24 h (5 failures in 5 min)". */
export const sipBruteForce: BanRule = {
  name: "sip-brute-force",
  count: 5,
  window: Duration.minutes(5),
  length: Duration.hours(24)
}

/**
 * Users of different names that failed. Source of the length: 3 §2.6, "SIP scanner 7 d". Reason of the count: an office
 * with its phones has fewer behind one address that all fail.
 */
export const sipScanner: BanRule = {
  name: "sip-scanner",
  count: 20,
  window: Duration.minutes(10),
  length: Duration.days(7)
}

/** A program that is made for nothing else: the first time. */
export const scannerProgram: BanRule = { ...sipScanner, count: 1 }

/**
 * Refused connections and frames at the WebSocket. Source of the length: 3 §2.6, "WebSocket abuse 1 h". Reason of the
 * count: a browser that reconnects does so once a second or less.
 */
export const websocketAbuse: BanRule = {
  name: "websocket-abuse",
  count: 60,
  window: Duration.minutes(1),
  length: Duration.hours(1)
}

export const rules: ReadonlyArray<BanRule> = [sipBruteForce, sipScanner, websocketAbuse]

/**
 * CUSTOM events that tell of who registers. `register_failure` comes once for each wrong answer to a challenge (capture
 * B77).
 */
export const registrationEvents = ["sofia::pre_register", "sofia::register_failure"] as const

/** As the programs call themselves that look for switches and guess passwords. */
const scanners =
  /friendly-?(scanner|request)|sipvicious|sip-?scan|sipcli|sundayddr|vaxsipuseragent|\biwar\b|sip-?ptcp|smap\b|pplsip|siparmyknife|sivus/i

export interface Registration {
  readonly address: string
  /** Who it wants to be, `user@host`; undefined: no attempt of a user's, or it has not failed. */
  readonly failed: string | undefined
  readonly scanner: boolean
}

/** What a CUSTOM event says; undefined when it is another. */
export const registration = (headers: Readonly<Record<string, string>>): Registration | undefined => {
  const subclass = headers["Event-Subclass"]
  const address = headers["network-ip"]
  if (address === undefined || (subclass !== registrationEvents[0] && subclass !== registrationEvents[1]))
    return undefined
  const user = `${headers["to-user"] ?? ""}@${headers["to-host"] ?? ""}`.slice(0, 200).toLowerCase()
  return {
    address,
    failed: subclass === "sofia::register_failure" ? user : undefined,
    scanner: scanners.test((headers["user-agent"] ?? "").slice(0, 200))
  }
}
