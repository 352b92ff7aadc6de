/** Applies changes of incidents in the surrounding transaction: the row, the event, and the wake-up of the sender. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { providerTenant } from "#core/auth/Caller.ts"
import { AlertClosed, AlertOpened } from "#core/contracts/Watchdog.ts"
import { Events } from "#core/events/Events.ts"
import { Wake } from "#core/events/Wake.ts"
import * as AlertStore from "./AlertStore.ts"
import { type AlertReport, applyReport, type Change, closed, type Incident, nameOf } from "./Incident.ts"
import { messageRules } from "./Rules.ts"

/** Wakes the sender. */
export const alertTopic = "watchdog alerts"

const source = "watchdog"
const audience = { tenantId: providerTenant }

const shared = ({ group, id, key, openedAt, severity }: Incident) => ({
  alert_id: id,
  key,
  group,
  severity,
  opened_at: new Date(openedAt).toISOString()
})

/** Emits the opening of an incident. */
export const emitOpened = (incident: Incident) =>
  Effect.flatMap(Events, (events) =>
    events.emit(AlertOpened, source, { ...shared(incident), summary: incident.summary }, audience)
  )

/** Emits the end of an incident. */
export const emitClosed = (incident: Incident) =>
  Effect.flatMap(Events, (events) =>
    events.emit(
      AlertClosed,
      source,
      { ...shared(incident), closed_at: new Date(incident.closedAt!).toISOString(), reason: incident.closeReason! },
      audience
    )
  )

/** Stores a change with its event. */
export const recordChange = Effect.fnUntraced(function* (change: Change) {
  if (change._tag === "None") return
  const { incident } = change
  yield* AlertStore.save(incident)
  if (change._tag === "Opened") yield* emitOpened(incident)
  if (change._tag === "Closed") yield* emitClosed(incident)
  yield* (yield* Wake).announce(alertTopic)
})

/** Applies a report. */
export const report = Effect.fnUntraced(function* (found: AlertReport, second: number) {
  const key = nameOf(found.key)
  yield* AlertStore.lockKey(key)
  const open = yield* AlertStore.openOf(key)
  if (open === undefined && !found.failing) return
  const rules = messageRules(yield* AlertStore.rules, second)
  const past = open === undefined ? yield* AlertStore.pastOf(key, found.at.getTime() - rules.flapWindow) : []
  yield* recordChange(applyReport(open, past, found, rules, randomUUID()))
})

/** Closes the open incident of a check that was removed. */
export const remove = Effect.fnUntraced(function* (name: string, at: Date) {
  const key = nameOf(name)
  yield* AlertStore.lockKey(key)
  const open = yield* AlertStore.openOf(key)
  if (open !== undefined) yield* recordChange(closed(open, at.getTime(), "removed"))
})
