/** Components of `/health` about alerts. Reads facts in memory only. */
import { Effect } from "effect"
import type { Component } from "#core/daemon/Health.ts"
import { AlertDesk } from "./AlertDesk.ts"
import type { HeartbeatState } from "./Heartbeats.ts"
import type { Target } from "./Messages.ts"

/** Number of attempts from which a delivery counts as stuck. Reason: the first three are within half a minute. */
const stuckAfter = 3

interface Unfinished {
  readonly way: string
  readonly attempts: number
}

/** Pure. */
export const componentOf = (targets: ReadonlyArray<Target>, unfinished: ReadonlyArray<Unfinished>): Component => {
  const ways = [...new Set(targets.map(({ way }) => way))]
  const stuck = [...new Set(unfinished.filter(({ attempts }) => attempts >= stuckAfter).map(({ way }) => way))]
  if (stuck.length > 0) return { status: "degraded", detail: `no alert leaves by ${stuck.join(", ")}`, ways }
  // Notifications in the application need Postgres.
  return ways.some((way) => way === "mail" || way === "messenger" || way === "webhook")
    ? { status: "ok", ways }
    : { status: "unconfigured", detail: "set SIGNALBOX_ADMIN_EMAIL, SIGNALBOX_ALERT_CHATS or the webhook", ways }
}

/** Pure. */
export const heartbeatComponent = (configured: boolean, { problem, sentAt }: HeartbeatState): Component =>
  !configured
    ? { status: "unconfigured" }
    : problem !== undefined
      ? { status: "degraded", detail: problem }
      : { status: "ok", ...(sentAt === undefined ? {} : { sent_at: new Date(sentAt).toISOString() }) }

export const alertComponent = (state: HeartbeatState) =>
  Effect.map(AlertDesk, ({ facts, settings, targets }) => ({
    alerts: componentOf(targets(), [
      ...(facts.snapshot?.due ?? []),
      ...[...facts.outage.deliveries.values()].filter((delivery) => delivery.state === "pending")
    ]),
    heartbeat: heartbeatComponent(settings.heartbeatUrl !== undefined, state)
  }))
