/**
 * Decides which messages are due. Alerts of one group share a message; a group of which people know already gets the
 * next one after a pause. Pure. All times in epoch milliseconds.
 */
import type { FlapRules, Incident } from "./Incident.ts"
import { isQuiet, type Quiet } from "./Quiet.ts"
import type { MessageKind, Severity } from "./Words.ts"

/** Times in milliseconds. */
export interface MessageRules extends FlapRules {
  /** Pauses before repeated messages; the last one counts for all later ones. Empty: no repeats. */
  readonly repeat: Readonly<Record<Severity, ReadonlyArray<number>>>
  readonly gather: number
  readonly groupInterval: number
}

export interface PlannedMessage {
  readonly kind: Exclude<MessageKind, "test">
  readonly group: string
  /** As they are after this message. */
  readonly incidents: ReadonlyArray<Incident>
}

export interface Plan {
  readonly messages: ReadonlyArray<PlannedMessage>
  /** Incidents that end without a further message. */
  readonly settled: ReadonlyArray<Incident>
}

/** Plans messages for incidents that are not settled. */
export const plan = (incidents: ReadonlyArray<Incident>, rules: MessageRules, quiet: Quiet, now: number): Plan => {
  const messages: Array<PlannedMessage> = []
  const settled: Array<Incident> = []
  for (const group of Map.groupBy(incidents, (incident) => incident.group).values()) {
    const audible = group.filter((incident) => !isQuiet(incident, quiet, now))
    // Nobody knows of an incident that ended before its message. Who silenced one needs no recovery.
    const over = group.filter(
      (incident) => incident.closedAt !== null && (incident.toldAt === null || !audible.includes(incident))
    )
    settled.push(...over.map((incident) => ({ ...incident, settled: true })))
    messages.push(...ofGroup(group, audible, rules, now))
  }
  return { messages, settled }
}

/** Time since `at`. A time in the future means that the clock was set back: the wait is over. */
const since = (at: number, now: number): number => (at > now ? Infinity : now - at)

const ofGroup = (
  group: ReadonlyArray<Incident>,
  audible: ReadonlyArray<Incident>,
  rules: MessageRules,
  now: number
): ReadonlyArray<PlannedMessage> => {
  const messages: Array<PlannedMessage> = []
  const known = group.filter(({ closedAt, toldAt }) => toldAt !== null && closedAt === null)
  const opening = audible.filter(({ closedAt, toldAt }) => toldAt === null && closedAt === null)
  const recovering = audible.filter(({ closedAt, toldAt }) => toldAt !== null && closedAt !== null)
  const lastToldAt = Math.max(-Infinity, ...group.map(({ lastToldAt }) => lastToldAt ?? -Infinity))
  // One due repeat takes the others of its group along, so that a group stays one message.
  const reminded = known.filter(
    (incident) =>
      audible.includes(incident) && incident.acknowledgedAt === null && rules.repeat[incident.severity].length > 0
  )
  const isRepeat = reminded.some((incident) => isRepeatDue(incident, rules, now))
  // A repeat ends the pause, because it starts the next one: alerts that wait would wait for both.
  const isPauseOver = isRepeat || since(lastToldAt, now) >= rules.groupInterval
  const message = (kind: PlannedMessage["kind"], incidents: ReadonlyArray<Incident>) => {
    const { group } = incidents[0]!
    messages.push({ kind, group, incidents })
  }

  const gathered = (times: ReadonlyArray<number>) => times.some((at) => since(at, now) >= rules.gather)
  // People know of the group: only its first critical alert does not wait for the pause.
  const awaited = known.length === 0 || isPauseOver ? opening : known.some(isCritical) ? [] : opening.filter(isCritical)
  if (gathered(awaited.map(({ openedAt }) => openedAt))) {
    const told = opening.map((incident) => ({ ...incident, toldAt: now, lastToldAt: now }))
    message(told.every(({ flapping }) => flapping) ? "flapping" : "opened", told)
  }

  const allOver = known.length === 0 && opening.length === 0
  if (recovering.length > 0 && gathered(recovering.map(({ closedAt }) => closedAt!)) && (allOver || isPauseOver)) {
    message(
      "recovered",
      recovering.map((incident) => ({ ...incident, lastToldAt: now, settled: true }))
    )
  }

  if (isRepeat) {
    message(
      "repeated",
      reminded.map((incident) => ({ ...incident, lastToldAt: now, repeats: incident.repeats + 1 }))
    )
  }
  return messages
}

const isCritical = ({ severity }: Incident): boolean => severity === "critical"

/** Whether the pause since the last message is over. A clock that was set back repeats nothing. */
const isRepeatDue = ({ lastToldAt, repeats, severity }: Incident, rules: MessageRules, now: number): boolean => {
  const pauses = rules.repeat[severity]
  const pause = pauses[Math.min(repeats, pauses.length - 1)]
  return pause !== undefined && lastToldAt !== null && now - lastToldAt >= pause
}
