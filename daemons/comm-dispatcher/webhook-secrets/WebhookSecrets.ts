/**
 * The signing secrets of all tenants in memory, so that a webhook reads none from the database. An actor of each
 * process reads the table after a change. A replaced secret still signs for hours, so a copy that is late by seconds
 * signs with a secret that receivers accept.
 */
import { Context, Deferred, Duration, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { providerTenant } from "#core/auth/Caller.ts"
import { contextOf, Secrets } from "#core/config/Secrets.ts"
import { Wake } from "#core/events/Wake.ts"
import { Actor, Supervisor } from "#core/supervision/Supervisor.ts"
import type { WebhookSecretConfig } from "./Settings.ts"
import { sealedWebhookSecrets, topic } from "./Store.ts"

/** Interval of reads without an announcement. Unit: seconds. Reason: a lost connection loses announcements. */
const readEvery = Duration.seconds(30)

/** Longest wait for the first read. Unit: seconds. Reason: an alarm goes unsigned rather than not at all. */
const patience = Duration.seconds(2)

interface Row {
  readonly id: number
  readonly tenant_id: number
  readonly secret: string
  /** Unit: epoch milliseconds. Null: it is not replaced. */
  readonly retires: number | null
}

interface Held {
  readonly id: number
  readonly secret: Redacted.Redacted
  readonly retires: number | null
}

export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    /** The secrets that sign the webhooks of a tenant now, newest first; none: they are not signed. */
    readonly of: (tenantId: number) => Effect.Effect<ReadonlyArray<Redacted.Redacted>>
  }
>()("signalbox/comm-dispatcher/WebhookSecrets") {}

export const layer = ({
  webhookSecret
}: WebhookSecretConfig): Layer.Layer<WebhookSecrets, never, SqlClient.SqlClient | Secrets | Wake | Supervisor> =>
  Layer.effect(
    WebhookSecrets,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const secrets = yield* Secrets
      const wakeup = yield* (yield* Wake).subscribe(topic)
      const first = yield* Deferred.make<void>()
      let held: ReadonlyMap<number, ReadonlyArray<Held>> = new Map()

      const open = (row: Row) =>
        secrets.open(row.secret, contextOf(sealedWebhookSecrets, String(row.id))).pipe(
          Effect.map((secret): Held => ({ id: row.id, secret, retires: row.retires })),
          // The other secrets, and other tenants, still sign.
          Effect.catch((error) =>
            Effect.as(Effect.logError(`webhook secret ${row.id} cannot be opened: ${error.message}`), undefined)
          )
        )

      const read = Effect.gen(function* () {
        const rows = yield* sql<Row>`select id, tenant_id, secret,
          (extract(epoch from retires_at) * 1000)::float8 as retires from comm_dispatcher.webhook_secret
          where retires_at is null or retires_at > now() order by id desc`
        const known = new Map([...held.values()].flat().map((one) => [one.id, one]))
        const next = new Map<number, Array<Held>>()
        for (const row of rows) {
          const before = known.get(row.id)
          const one = before === undefined ? yield* open(row) : { ...before, retires: row.retires }
          if (one !== undefined) next.set(row.tenant_id, [...(next.get(row.tenant_id) ?? []), one])
        }
        held = next
        yield* Deferred.succeed(first, undefined)
      })

      yield* Supervisor.actor({
        name: "webhook secrets",
        stallAfter: Duration.times(readEvery, 3),
        run: Effect.gen(function* () {
          const actor = yield* Actor
          while (true) {
            yield* read
            yield* actor.progress
            yield* wakeup.wait(readEvery)
          }
        })
      })

      return WebhookSecrets.of({
        of: Effect.fnUntraced(function* (tenantId) {
          yield* Effect.timeoutOption(Deferred.await(first), patience)
          const now = Date.now()
          const own = (held.get(tenantId) ?? []).filter(({ retires }) => retires === null || retires > now)
          const fixed = tenantId === providerTenant && webhookSecret !== undefined ? [webhookSecret] : []
          return [...own.map(({ secret }) => secret), ...fixed]
        })
      })
    })
  )
