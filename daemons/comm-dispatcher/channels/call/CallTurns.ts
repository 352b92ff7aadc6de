/** Order of the calls that wait in one process. Pure. Times are epoch milliseconds. */
import { type DeliveryKind, priorityOf, type Severity } from "../../vocabulary/Exports.ts"

/** A waiting call. */
export interface Turn {
  readonly gateway: string
  readonly severity: Severity | null
  /** When the call was due. Its wait is measured from here. */
  readonly dueAt: number
  readonly kind: DeliveryKind
  /** Tenant that pays for the call. Tenants take turns. */
  readonly tenantId: number
}

/** When each tenant last got a turn, as a growing number. */
export type LastTurns = ReadonlyMap<number, number>

/**
 * Alarms of the provider's own mailboxes first, because no tenant can send them. Then the tenants in turn, so that a
 * tenant with many calls waits for itself. Within a tenant, and among those alarms, the most severe first, then the one
 * that was due first.
 */
export const byUrgency =
  (last: LastTurns = new Map()) =>
  (a: Turn, b: Turn): number =>
    Number(b.kind === "alarm_mail") - Number(a.kind === "alarm_mail") ||
    (a.kind === "alarm_mail" ? 0 : (last.get(a.tenantId) ?? 0) - (last.get(b.tenantId) ?? 0)) ||
    priorityOf[b.severity ?? "INFO"] - priorityOf[a.severity ?? "INFO"] ||
    a.dueAt - b.dueAt

/** Calls that have waited long enough to go without the lock, the most urgent first. */
export const overdue = <T extends Turn>(
  waiting: Iterable<T>,
  now: number,
  wait: number,
  last: LastTurns = new Map()
): ReadonlyArray<T> => [...waiting].filter((turn) => turn.dueAt + wait <= now).sort(byUrgency(last))

/**
 * Places of a gateway that a call may use, by their numbers from 0. The last ones are reserved for alarm mails, but one
 * is always open to everybody.
 */
export const placesFor = (kind: DeliveryKind, perGateway: number, reserved: number): number =>
  kind === "alarm_mail" ? perGateway : Math.max(1, perGateway - reserved)

/**
 * Longest lock request. Unit: milliseconds. Reason: it blocks the session, while calls become overdue or more severe
 * ones arrive.
 */
const longestSlice = 1_000

/** Interval of checks for a free slot. Unit: milliseconds. */
const lookAgain = 500

/** How long the session may block for the lock, or sleep without a request. */
export const slice = (waiting: Iterable<Turn>, now: number, wait: number): number => {
  let next = longestSlice
  for (const { dueAt } of waiting) {
    const left = dueAt + wait - now
    next = Math.min(next, left <= 0 ? lookAgain : left)
  }
  return Math.max(next, 10)
}
