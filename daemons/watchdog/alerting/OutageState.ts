/**
 * What happened while Postgres was away: incidents, messages and deliveries, and what was known before. Pure. Times in
 * epoch milliseconds.
 */
import { randomUUID } from "node:crypto"
import { type AlertReport, applyReport, type Incident, nameOf } from "./Incident.ts"
import { type MessageRules, plan } from "./MessagePlan.ts"
import { deliveriesOf, type Delivery, deliveryKey, type Message, messageOf, type Target } from "./Messages.ts"
import type { Due } from "./MessageStore.ts"
import { noQuiet, type Quiet } from "./Quiet.ts"
import { directWays, type Way } from "./Words.ts"

/** Whether the way needs no Postgres. */
export const isDirect = (way: Way): boolean => (directWays as ReadonlyArray<Way>).includes(way)

export interface Outage {
  /** By id: those that changed. */
  readonly incidents: ReadonlyMap<string, Incident>
  readonly messages: ReadonlyMap<string, Message>
  /** By `deliveryKey`. */
  readonly deliveries: ReadonlyMap<string, Delivery>
}

/** What Postgres said last. */
export interface Snapshot {
  readonly incidents: ReadonlyArray<Incident>
  readonly rules: MessageRules
  readonly quiet: Quiet
  /** Unfinished deliveries of the direct ways. */
  readonly due: ReadonlyArray<Due>
  /** Time zone of the mails' readers; null: UTC. */
  readonly mailZone: string | null
}

export const noOutage: Outage = { incidents: new Map(), messages: new Map(), deliveries: new Map() }

export const isEmpty = ({ deliveries, incidents, messages }: Outage): boolean =>
  incidents.size === 0 && messages.size === 0 && deliveries.size === 0

/** Maximum number of incidents of an outage. Reason: bounds the file; a thousand are more than anybody reads. */
export const mostIncidents = 1_000

/** Incidents as they are now: those of the outage in place of those of the snapshot. */
const current = ({ incidents }: Outage, snapshot: Snapshot | undefined): ReadonlyArray<Incident> => [
  ...(snapshot?.incidents ?? []).filter(({ id }) => !incidents.has(id)),
  ...incidents.values()
]

/** Applies a report. */
export const reported = (
  outage: Outage,
  snapshot: Snapshot | undefined,
  report: AlertReport,
  rules: MessageRules
): Outage => {
  const key = nameOf(report.key)
  const all = current(outage, snapshot)
  const open = all.find((incident) => incident.key === key && incident.closedAt === null)
  const from = report.at.getTime() - rules.flapWindow
  const past = all.filter((one) => one.key === key && one.closedAt !== null && one.closedAt > from)
  const change = applyReport(open, past, report, rules, randomUUID())
  if (change._tag === "None") return outage
  const { incident } = change
  if (!outage.incidents.has(incident.id) && outage.incidents.size >= mostIncidents) return outage
  return { ...outage, incidents: new Map(outage.incidents).set(incident.id, incident) }
}

/**
 * Plans messages. `acting`: this process sends the messages of the fleet, so it also tells of incidents that Postgres
 * had, and finishes its deliveries, except those in `done`.
 */
export const planned = (
  outage: Outage,
  snapshot: Snapshot | undefined,
  options: {
    readonly acting: boolean
    readonly done: ReadonlySet<string>
    readonly rules: MessageRules
    readonly targets: ReadonlyArray<Target>
    readonly now: number
  }
): Outage => {
  const { acting, done, now, rules, targets } = options
  const known = acting ? current(outage, snapshot) : [...outage.incidents.values()]
  const due = plan(
    known.filter(({ settled }) => !settled),
    rules,
    snapshot?.quiet ?? noQuiet,
    now
  )
  const incidents = new Map(outage.incidents)
  const messages = new Map(outage.messages)
  const deliveries = new Map(outage.deliveries)
  for (const incident of due.settled) incidents.set(incident.id, incident)
  for (const one of due.messages) {
    const message = messageOf(one, now, true)
    messages.set(message.id, message)
    for (const incident of one.incidents) incidents.set(incident.id, incident)
    for (const delivery of deliveriesOf(message, targets)) {
      // Whether an alarm is raised is decided when Postgres is back.
      if (delivery.way !== "alarm") deliveries.set(deliveryKey(delivery), delivery)
    }
  }
  if (acting) {
    for (const { message, ...delivery } of snapshot?.due ?? []) {
      const key = deliveryKey(delivery)
      if (delivery.state !== "pending" || done.has(key) || deliveries.has(key)) continue
      messages.set(message.id, message)
      deliveries.set(key, delivery)
    }
  }
  return incidents.size === outage.incidents.size &&
    messages.size === outage.messages.size &&
    due.messages.length + due.settled.length === 0
    ? { ...outage, deliveries }
    : { incidents, messages, deliveries }
}

/**
 * Deliveries to send now, oldest first. The messages of a group leave in order by each way, so a recovery never comes
 * before its opening.
 */
export const dueNow = (
  { deliveries, messages }: Outage,
  inFlight: ReadonlySet<string>,
  now: number
): ReadonlyArray<{ readonly delivery: Delivery; readonly message: Message }> => {
  const open = [...deliveries.values()]
    .filter(({ state, way }) => isDirect(way) && (state === "pending" || state === "sending"))
    .flatMap((delivery) => {
      const message = messages.get(delivery.messageId)
      return message === undefined ? [] : [{ delivery, message }]
    })
    .sort((a, b) => a.message.createdAt - b.message.createdAt)
  const lanes = new Set<string>()
  return open.filter(({ delivery, message }) => {
    const lane = `${delivery.way} ${delivery.target} ${message.group}`
    if (lanes.has(lane)) return false
    lanes.add(lane)
    return delivery.nextAt <= now && !inFlight.has(deliveryKey(delivery))
  })
}
