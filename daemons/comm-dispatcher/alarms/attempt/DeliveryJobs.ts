/**
 * The delivery jobs: one queue per channel, so that no channel waits behind another. In a queue, jobs of users form a
 * group for each tenant; the provider's own jobs have no group, go first, and have reserved workers.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Jobs from "#core/jobs/Jobs.ts"
import { originOf } from "../../channels/Exports.ts"
import { type Channel, priorityOf, severities, type Severity } from "../../vocabulary/Exports.ts"

/** An attempt at a target is due. `party` and `priority` order its turn without reading the target. */
const Delivery = Schema.Struct({
  target_id: Schema.Number,
  party: Schema.optionalKey(Schema.String),
  priority: Schema.optionalKey(Schema.Number)
})

/** The other side whose limits decide the turn: the host of a webhook, the chat of a message. */
const partyOf: Partial<Record<Channel, (target: string) => string>> = {
  webhook: originOf,
  messenger: (chat) => chat,
  messenger_voice: (chat) => chat
}

/** Lowest priority of the provider's own jobs. Unit: priority of a job. Above every priority of a user's job. */
export const ownPriority = 100

/** Priority that each waiting job of the same tenant costs. Unit: priority of a job. Above the span of severities. */
const perWaiting = 100

/** Maximum number of waiting jobs that count. Reason: the job engine stores priorities as 32-bit integers. */
const mostWaiting = 1_000_000

/** A target whose delivery is due. */
export interface DueTarget {
  readonly id: number
  readonly channel: Channel
  readonly target: string
  readonly severity: Severity | null
}

/** The user's tenant, and how many of its jobs go before this one; undefined for the provider's own jobs. */
export interface Queued {
  readonly tenantId: number
  readonly ahead: number
}

/**
 * The delivery job of a target. A user's job goes behind those of other tenants with fewer waiting jobs, so a tenant
 * with a long queue delays only itself.
 */
export const deliveryOf = ({ channel, id, severity, target }: DueTarget, queued: Queued | undefined) => {
  const party = partyOf[channel]?.(target)
  const urgency = priorityOf[severity ?? "WARNING"]
  const priority =
    queued === undefined ? ownPriority + urgency : urgency - perWaiting * Math.min(queued.ahead, mostWaiting)
  return {
    data: { target_id: id, ...(party === undefined ? {} : { party, priority }) } satisfies typeof Delivery.Type,
    priority,
    ...(queued === undefined ? {} : { group: `tenant ${queued.tenantId}` })
  }
}

/** Open targets of a tenant in a channel that are at least as severe, besides this one. */
export const aheadOf = Effect.fnUntraced(function* (tenantId: number, { channel, id, severity }: DueTarget) {
  const sql = yield* SqlClient.SqlClient
  const least = priorityOf[severity ?? "WARNING"]
  const asSevere = severities.filter((one) => priorityOf[one] >= least)
  const [row] = yield* sql<{ ahead: number }>`select count(*)::int as ahead
    from comm_dispatcher.target t join comm_dispatcher.run r on r.id = t.run_id
    where t.state in ('pending', 'attempting', 'uncertain') and t.tenant_id = ${tenantId} and t.channel = ${channel}
      and t.id < ${id} and coalesce(r.severity, 'WARNING') = any(${asSevere}::text[])`
  return { tenantId, ahead: row!.ahead } satisfies Queued as Queued
})

const jobOf = (channel: Channel) => Jobs.define(`alarm.deliver.${channel}`, Delivery)

export const deliveries = {
  call: jobOf("call"),
  messenger: jobOf("messenger"),
  messenger_voice: jobOf("messenger_voice"),
  webhook: jobOf("webhook"),
  sms: jobOf("sms")
} satisfies Record<Channel, ReturnType<typeof jobOf>>

export type DeliveryJob = Jobs.ClaimedJob<typeof Delivery.Type>
