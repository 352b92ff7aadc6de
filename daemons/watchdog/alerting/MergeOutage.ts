/**
 * Brings what happened while Postgres was away into the tables, in the surrounding transaction. Idempotent: ids are
 * those of the outage, so a second time changes nothing.
 */
import { Effect } from "effect"
import { Wake } from "#core/events/Wake.ts"
import * as AlertStore from "./AlertStore.ts"
import type { Incident } from "./Incident.ts"
import { concernsOpen, type Delivery, deliveriesOf, type Message } from "./Messages.ts"
import * as MessageStore from "./MessageStore.ts"
import type { Outage } from "./OutageState.ts"
import { alertTopic, emitClosed, emitOpened } from "./RecordChange.ts"

/** `alarms`: whether critical alerts raise an alarm. */
export const mergeOutage = Effect.fnUntraced(function* (outage: Outage, alarms: boolean) {
  const stored = new Map(
    (yield* AlertStore.byIds([...outage.incidents.keys()])).map((incident) => [incident.id, incident])
  )
  /** Ids that another process gave to an incident of the same key. */
  const renamed = new Map<string, string>()
  for (const incident of outage.incidents.values()) {
    const mine = stored.get(incident.id)
    const one = mine === undefined ? yield* aliased(incident) : incident
    if (one.id !== incident.id) renamed.set(incident.id, one.id)
    const before = mine ?? (one.id === incident.id ? undefined : one)
    yield* AlertStore.save(
      one.id === incident.id
        ? incident
        : { ...incident, id: one.id, openedAt: one.openedAt, closedAt: later(one, incident) }
    )
    if (before === undefined) yield* emitOpened(incident)
    if (incident.closedAt !== null && (before === undefined || before.closedAt === null)) {
      yield* emitClosed({ ...incident, id: one.id, openedAt: one.openedAt, closedAt: later(one, incident) })
    }
  }
  for (const message of outage.messages.values()) {
    const deliveries = [...outage.deliveries.values()].filter(({ messageId }) => messageId === message.id)
    yield* MessageStore.add(
      { ...message, alerts: message.alerts.map(({ id, number }) => ({ id: renamed.get(id) ?? id, number })) },
      [...deliveries, ...(alarms ? alarmOf(message, deliveries, outage) : [])]
    )
  }
  yield* (yield* Wake).announce(alertTopic)
})

const later = (one: Incident, { closedAt }: Incident) => (closedAt === null ? null : Math.max(one.openedAt, closedAt))

/** The open incident of the same key that another process stored, or the incident itself. */
const aliased = Effect.fnUntraced(function* (incident: Incident) {
  yield* AlertStore.lockKey(incident.key)
  const other = yield* AlertStore.openOf(incident.key)
  return other ?? incident
})

/** An alarm for what is still open and of which nobody was told. */
const alarmOf = (message: Message, deliveries: ReadonlyArray<Delivery>, outage: Outage): ReadonlyArray<Delivery> =>
  message.content.withoutDatabase &&
  !deliveries.some(({ state }) => state === "sent") &&
  concernsOpen(message, outage.incidents)
    ? deliveriesOf(message, [{ way: "alarm", target: "" }])
    : []
