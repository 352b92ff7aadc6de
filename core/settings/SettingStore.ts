/**
 * Stored settings in the database: one row for each setting that was ever stored. The row of a removed value stays, so
 * that other processes see the removal. A secret is stored as an envelope.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { contextOf, type SealedColumn, type SecretError, Secrets } from "../config/Secrets.ts"
import { channel } from "../events/Wake.ts"
import * as Audit from "../log/Audit.ts"
import { providerTenant } from "../auth/Caller.ts"
import type { Database } from "../sql/Database.ts"
import type { StoredSetting } from "./StoredSetting.ts"

/** Topic that a change announces. */
export const topic = "core.settings"

/** Column with the envelopes of secrets. */
export const envelopeColumn: SealedColumn = { table: "core.stored_setting", id: "name", column: "envelope" }

/** A row. Both `value` and `envelope` are null after the value was removed. */
export interface SettingRow {
  readonly name: string
  readonly value: string | null
  readonly envelope: string | null
  /** Timestamp as JSON shows it. */
  readonly changed_at: string
  readonly changed_by: string
}

/** Who changes a setting, for the audit log. */
export interface ChangedBy {
  readonly actor: string
  readonly address?: string | undefined
}

/** Context of the envelope of a setting. */
export const envelopeContext = (name: string): string => contextOf(envelopeColumn, name)

/** All rows. */
export const list: Effect.Effect<ReadonlyArray<SettingRow>, SqlError.SqlError, SqlClient.SqlClient> = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<SettingRow>`select name, value, envelope, to_json(changed_at) #>> '{}' as changed_at, changed_by
    from core.stored_setting`
)

/** A valid text in the form in which it is stored; all null removes the value. */
export interface Prepared {
  readonly setting: StoredSetting<unknown>
  readonly value: string | null
  readonly envelope: string | null
}

/** Prepares a valid text, or the removal of the value. Reads the key file, so it runs before the transaction. */
export const prepare = (
  setting: StoredSetting<unknown>,
  text: string | undefined
): Effect.Effect<Prepared, SecretError, Secrets> =>
  Effect.gen(function* () {
    if (text === undefined || !setting.secret) return { setting, value: text ?? null, envelope: null }
    const secrets = yield* Secrets
    return { setting, value: null, envelope: yield* secrets.seal(Redacted.make(text), envelopeContext(setting.name)) }
  })

/**
 * Stores the prepared value, announces it, and writes the change to the audit log. For the surrounding transaction of
 * the platform role. Returns whether anything changed.
 */
export const write = (
  { envelope, setting, value }: Prepared,
  by: ChangedBy
): Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient | PgClient.PgClient | Database> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // Changes of one setting happen one after the other, so that each audit entry has the true former value.
    yield* sql`select pg_advisory_xact_lock(hashtext(${`core.stored_setting ${setting.name}`}))`
    const [before] = yield* sql<Pick<SettingRow, "value" | "envelope">>`select value, envelope from core.stored_setting
      where name = ${setting.name}`
    // A new envelope of the same secret differs, so a stored secret always counts as changed.
    if (value === (before?.value ?? null) && envelope === (before?.envelope ?? null)) return false
    yield* sql`insert into core.stored_setting (name, value, envelope, changed_by)
      values (${setting.name}, ${value}, ${envelope}, ${by.actor})
      on conflict (name) do update set value = excluded.value, envelope = excluded.envelope,
        changed_by = excluded.changed_by, changed_at = now()`
    yield* sql`select pg_notify(${channel}, ${topic})`
    yield* Audit.write({
      tenantId: providerTenant,
      actor: by.actor,
      action: value === null && envelope === null ? "setting.removed" : "setting.changed",
      entity: "setting",
      id: setting.name,
      address: by.address,
      detail: setting.secret ? { secret: true } : { from: before?.value ?? null, to: value }
    })
    return true
  })
