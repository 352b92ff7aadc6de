/** Which of CrowdSec's decisions are kept, and as what. Pure. */
import { normalised } from "#core/gateway/BanList.ts"
import type { Alert, Decision } from "#protocols/crowdsec/Answer.ts"
import { widthProblem } from "./AddressRefusal.ts"
import type { NewAlert } from "./AlertStore.ts"

/**
 * Maximum number of decisions kept, the longest-lasting first. Reason: rows of 200 bytes, read by the firewall's file
 * as well.
 */
export const maxDecisions = 20_000

/** A decision as a row. */
export interface Kept {
  readonly key: string
  readonly origin: string
  readonly rule: string
  readonly address: string
  /** Milliseconds since 1970. */
  readonly until: number
}

const scopes = new Set(["ip", "range"])

/**
 * Bans of addresses and ranges. Left out are captchas, decisions about countries or networks by number, those that
 * ended, and ranges that are too wide, which would lock everybody out at the firewall. `now`: milliseconds since 1970.
 */
export const kept = (
  decisions: ReadonlyArray<Decision>,
  now: number
): { readonly bans: ReadonlyArray<Kept>; readonly truncated: boolean } => {
  const bans = decisions.flatMap(({ id, origin, remaining, scenario, scope, type, value }) => {
    const address = scopes.has(scope.toLowerCase()) && type === "ban" && remaining > 0 ? normalised(value) : undefined
    return address === undefined || widthProblem(address) !== undefined
      ? []
      : [{ key: String(id), origin, rule: scenario === "" ? "unknown" : scenario, address, until: now + remaining }]
  })
  return { bans: bans.sort((a, b) => b.until - a.until).slice(0, maxDecisions), truncated: bans.length > maxDecisions }
}

/** Alerts about addresses and ranges. */
export const alertsOf = (alerts: ReadonlyArray<Alert>): ReadonlyArray<NewAlert> =>
  alerts.flatMap(({ country, createdAt, events, id, message, network, scenario, scope, value }) => {
    const address = scopes.has(scope.toLowerCase()) ? normalised(value) : undefined
    if (address === undefined) return []
    return [
      {
        source: "crowdsec",
        key: String(id),
        kind: "offence",
        rule: scenario === "" ? "unknown" : scenario,
        address,
        at: new Date(createdAt),
        events: Math.min(events, 2_147_483_647),
        reason: message === "" ? undefined : message,
        country,
        network
      } satisfies NewAlert
    ]
  })
