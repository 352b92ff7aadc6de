/** Rules for banning addresses at the switch, and the switch events that count as offences. Pure. */
import { Duration } from "effect"
import type { BanRule } from "#core/bans/BanDecision.ts"

/** Rule for wrong SIP passwords. Source: interface document 3 §2.6, "SIP brute force 24 h (5 failures in 5 min)". */
export const sipBruteForce: BanRule = {
  name: "sip-brute-force",
  count: 5,
  window: Duration.minutes(5),
  length: Duration.hours(24)
}

/**
 * Rule for failed registrations of many different users. Source of the length: interface document 3 §2.6, "SIP scanner
 * 7 d". Reason for the count: an office behind one address has fewer phones that all fail.
 */
export const sipScanner: BanRule = {
  name: "sip-scanner",
  count: 20,
  window: Duration.minutes(10),
  length: Duration.days(7)
}

/** Rule for known scanner programs: the first request bans. */
export const scannerProgram: BanRule = { ...sipScanner, count: 1 }

/**
 * Rule for refused connections and frames at the WebSocket proxy. Source of the length: interface document 3 §2.6,
 * "WebSocket abuse 1 h". Reason for the count: a browser that reconnects does so at most once a second.
 */
export const websocketAbuse: BanRule = {
  name: "websocket-abuse",
  count: 60,
  window: Duration.minutes(1),
  length: Duration.hours(1)
}

export const rules: ReadonlyArray<BanRule> = [sipBruteForce, sipScanner, websocketAbuse]

/**
 * CUSTOM events of FreeSWITCH about registrations. `register_failure` comes once for each wrong answer to a challenge
 * (capture B77).
 */
export const registrationEvents = ["sofia::pre_register", "sofia::register_failure"] as const

/** User agents of programs that search for SIP servers and guess passwords. */
const scanners = new RegExp(
  "friendly-?(scanner|request)|sipvicious|sip-?scan|sipcli|sundayddr|vaxsipuseragent|\\biwar\\b|sip-?ptcp|smap\\b|" +
    "pplsip|siparmyknife|sivus",
  "i"
)

export interface Registration {
  readonly address: string
  /** User of the failed registration, as `user@host`; undefined when the event reports no failure. */
  readonly failed: string | undefined
  readonly scanner: boolean
}

/** Reads a registration event; undefined for other CUSTOM events. */
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
