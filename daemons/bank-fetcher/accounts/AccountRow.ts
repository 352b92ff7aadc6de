/** Row of an account, and its conversion to answers. */
import type { SqlClient } from "effect/sql"
import type { DigestKind } from "#protocols/ebics/Subscriber.ts"
import type { SignatureVersion, Version } from "#protocols/ebics/Version.ts"
import type { AccountView } from "./Api.ts"
import type { BankAnswer } from "./keys/KeyApi.ts"
import type { KeyStatus, OrderChoice, Permitted } from "./FieldSchemas.ts"

export interface AccountRow {
  readonly id: string
  readonly seq: number
  readonly tenant_id: number
  readonly name: string
  readonly iban: string
  readonly bic: string | null
  readonly currency: string
  readonly holder: string | null
  readonly host_id: string | null
  readonly partner_id: string | null
  readonly user_id: string | null
  readonly server_url: string | null
  readonly ebics_version: Version | null
  readonly version_by_bank: boolean
  readonly signature_version: SignatureVersion
  readonly key_bits: number
  readonly digest_kind: DigestKind
  readonly digest_tried: boolean
  readonly key_status: KeyStatus
  readonly state_before: KeyStatus | null
  readonly stopped: string | null
  readonly key_salt: string | null
  readonly keys_created_at: Date | null
  readonly ini_begun_at: Date | null
  readonly ini_sent_at: Date | null
  readonly hia_begun_at: Date | null
  readonly hia_sent_at: Date | null
  readonly activated_at: Date | null
  readonly last_answer: typeof BankAnswer.Type | null
  readonly order_types: ReadonlyArray<OrderChoice> | null
  readonly permitted: Permitted | null
  readonly daily_schedule: string | null
  readonly intraday_schedule: string | null
  readonly fetch_enabled: boolean
  readonly active: boolean
  readonly created_at: Date
  readonly updated_at: Date
  /** Another request works on the account's keys. */
  readonly busy: boolean
  readonly step_id: string | null
  /** A person has accepted the bank's keys. */
  readonly bank_accepted: boolean
  /** Keys of the bank wait for a person. */
  readonly bank_offered: boolean
}

/** Columns of `AccountRow`. */
export const columns = (sql: SqlClient.SqlClient) =>
  sql`id, seq, tenant_id, name, iban, bic, currency, holder, host_id, partner_id, user_id, server_url, ebics_version,
    version_by_bank, signature_version, key_bits, digest_kind, digest_tried, key_status, state_before, stopped,
    key_salt, keys_created_at, ini_begun_at, ini_sent_at, hia_begun_at, hia_sent_at, activated_at, last_answer,
    order_types, permitted, daily_schedule, intraday_schedule, fetch_enabled, active, created_at, updated_at, step_id,
    coalesce(step_until > now(), false) as busy,
    exists (select 1 from bank_fetcher.bank_key k where k.account_id = account.id and k.state = 'accepted')
      as bank_accepted,
    exists (select 1 from bank_fetcher.bank_key k where k.account_id = account.id and k.state = 'offered')
      as bank_offered`

/** Ids and address of an account that has all of them. */
export const ebicsOf = ({ host_id, partner_id, server_url, user_id }: AccountRow) =>
  host_id === null || partner_id === null || user_id === null || server_url === null
    ? undefined
    : { hostId: host_id, partnerId: partner_id, userId: user_id, serverUrl: server_url }

/** Whether statements can be fetched, except for a missing passphrase, which each process decides. Pure. */
export const isReady = (row: AccountRow): boolean =>
  row.active &&
  row.key_status === "active" &&
  row.stopped === null &&
  row.bank_accepted &&
  row.ebics_version !== null &&
  ebicsOf(row) !== undefined

export const view = (row: AccountRow): typeof AccountView.Type => ({
  id: row.id,
  seq: row.seq,
  tenant_id: row.tenant_id,
  name: row.name,
  iban: row.iban,
  bic: row.bic,
  currency: row.currency,
  holder: row.holder,
  host_id: row.host_id,
  partner_id: row.partner_id,
  user_id: row.user_id,
  server_url: row.server_url,
  ebics_version: row.ebics_version,
  signature_version: row.signature_version,
  key_bits: row.key_bits,
  digest_kind: row.digest_kind,
  key_status: row.key_status,
  ready: isReady(row),
  stopped: row.stopped,
  order_types: row.order_types,
  permitted: row.permitted,
  daily_schedule: row.daily_schedule,
  intraday_schedule: row.intraday_schedule,
  fetch_enabled: row.fetch_enabled,
  active: row.active,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString()
})
