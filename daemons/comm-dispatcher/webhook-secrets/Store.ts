/**
 * The secrets that sign the webhooks of a tenant. Functions run in the surrounding transaction with its role. A change
 * writes the audit log, and wakes the copies in memory (WebhookSecrets).
 */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { contextOf, type SealedColumn, Secrets } from "#core/config/Secrets.ts"
import { Wake } from "#core/events/Wake.ts"
import * as Audit from "#core/log/Audit.ts"

export const sealedWebhookSecrets: SealedColumn = {
  table: "comm_dispatcher.webhook_secret",
  id: "id",
  column: "secret"
}

/** Wake topic of changes. */
export const topic = "comm_dispatcher.webhook_secret"

/** How long a replaced secret still signs. Unit: hours. Default: a day, to change receivers in working hours. */
export const overlap = { default: 24, most: 168 } as const

/** Unit: random bytes. Source: the length of the hash, RFC 2104 §3. */
const secretBytes = 32

export interface StoredSecret {
  readonly id: number
  readonly tenant_id: number
  readonly created_at: Date
  readonly retires_at: Date | null
}

/** A secret that is not stored yet. The envelope is bound to the id. Call outside transactions. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const { id: key, table } = sealedWebhookSecrets
  const [row] = yield* sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, ${key}))::int as id`
  const secret = Redacted.make(`whsec_${randomBytes(secretBytes).toString("base64url")}`)
  // An unreadable key file is a fault of the installation.
  const envelope = yield* Effect.orDie(secrets.seal(secret, contextOf(sealedWebhookSecrets, String(row!.id))))
  return { id: row!.id, secret, envelope }
})

const columns = "id, tenant_id, created_at, retires_at"

/** The secrets of a tenant that sign now, newest first. */
export const list = (tenantId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<StoredSecret>`select ${sql.literal(columns)} from comm_dispatcher.webhook_secret
      where tenant_id = ${tenantId} and (retires_at is null or retires_at > now()) order by id desc`
  )

export interface Author {
  readonly actor: string
  readonly address?: string | undefined
}

const note = (author: Author, action: string, tenantId: number, id: number, detail: Audit.Entry["detail"]) =>
  Audit.write({ tenantId, ...author, action, entity: "webhook_secret", id: String(id), detail: detail ?? {} })

/**
 * Stores a new secret. The one that it replaces signs for `hours` more, so a request has at most two signatures; older
 * ones are deleted.
 */
export const rotate = Effect.fnUntraced(function* (
  made: { readonly id: number; readonly envelope: string },
  tenantId: number,
  hours: number,
  author: Author
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select pg_advisory_xact_lock(hashtextextended(${`${topic} ${tenantId}`}, 0))`
  yield* sql`delete from comm_dispatcher.webhook_secret where tenant_id = ${tenantId} and retires_at is not null`
  yield* hours === 0
    ? sql`delete from comm_dispatcher.webhook_secret where tenant_id = ${tenantId}`
    : sql`update comm_dispatcher.webhook_secret set retires_at = now() + make_interval(hours => ${hours})
        where tenant_id = ${tenantId}`
  const [row] = yield* sql<StoredSecret>`insert into comm_dispatcher.webhook_secret (id, tenant_id, secret)
    values (${made.id}, ${tenantId}, ${made.envelope}) returning ${sql.literal(columns)}`
  yield* note(author, "webhook_secret.rotated", tenantId, made.id, { overlap_hours: hours })
  yield* (yield* Wake).announce(topic)
  return row!
})

/** Deletes a secret, which then signs nothing more. Undefined: there is none with this id. */
export const remove = Effect.fnUntraced(function* (id: number, author: Author) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<StoredSecret>`delete from comm_dispatcher.webhook_secret where id = ${id}
    returning ${sql.literal(columns)}`
  if (row === undefined) return undefined
  yield* note(author, "webhook_secret.deleted", row.tenant_id, id, {})
  yield* (yield* Wake).announce(topic)
  return row
})
