/** Messages and their deliveries, as the table and the file of the second path have them. */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import type { Incident } from "./Incident.ts"
import type { PlannedMessage } from "./MessagePlan.ts"
import { contentOf, type Content } from "./MessageText.ts"
import type { DeliveryState, MessageKind, Way } from "./Words.ts"

export interface Message {
  readonly id: string
  readonly kind: MessageKind
  readonly group: string
  readonly content: Content
  readonly createdAt: number
  /** Ids of the alerts, and the number of the repeat of each; 0 for other kinds. */
  readonly alerts: ReadonlyArray<{ readonly id: string; readonly number: number }>
}

/** Where a message goes: a way, and a chat of the messenger. */
export interface Target {
  readonly way: Way
  /** Empty for ways with one target. */
  readonly target: string
}

export interface Delivery extends Target {
  readonly messageId: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAt: number
  readonly sentAt: number | null
  readonly problem: string | null
}

export const deliveryKey = ({ messageId, target, way }: Pick<Delivery, "messageId" | "way" | "target">): string =>
  `${messageId} ${way} ${target}`

/** A message of the plan. */
export const messageOf = (planned: PlannedMessage, now: number, withoutDatabase: boolean): Message => ({
  id: randomUUID(),
  kind: planned.kind,
  group: planned.group,
  content: contentOf(planned.incidents, hostname(), withoutDatabase),
  createdAt: now,
  alerts: planned.incidents.map(({ id, repeats }) => ({ id, number: planned.kind === "repeated" ? repeats : 0 }))
})

export const testMessage = (now: number): Message => ({
  id: randomUUID(),
  kind: "test",
  group: "test",
  content: contentOf([], hostname(), false),
  createdAt: now,
  alerts: []
})

/** New deliveries of a message. Only openings of critical alerts raise an alarm. */
export const deliveriesOf = (message: Message, targets: ReadonlyArray<Target>): ReadonlyArray<Delivery> =>
  targets
    .filter(({ way }) => way !== "alarm" || (message.kind === "opened" && message.content.severity === "critical"))
    .map((target) => ({
      ...target,
      messageId: message.id,
      state: "pending",
      attempts: 0,
      nextAt: message.createdAt,
      sentAt: null,
      problem: null
    }))

/** Whether an incident of the message is open. */
export const concernsOpen = (message: Message, incidents: ReadonlyMap<string, Incident>): boolean =>
  message.alerts.some(({ id }) => incidents.get(id)?.closedAt === null)
