/**
 * Reads and writes voicemail boxes. Functions run in the surrounding transaction. Changes write audit entries and are
 * announced to the projections.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { NumberTaken } from "../Errors.ts"
import { changed, differences, inTurn, note, orTaken } from "../Change.ts"
import type { Sealed } from "../Credentials.ts"
import * as SipDomains from "../SipDomains.ts"
import { notLedTo } from "../Uses.ts"

export interface Settings {
  /** Number of the box, usually that of the extension whose calls it takes. */
  readonly box: string
  readonly name: string
  /** Mail address to which messages are sent. */
  readonly email: string | null
  readonly enabled: boolean
}

export interface VoicemailBox extends Settings {
  readonly id: number
  readonly tenant_id: number
  readonly domain_id: number
  readonly domain: string
  readonly created_at: Date
  readonly updated_at: Date
}

const fields = (sql: SqlClient.SqlClient) =>
  sql`v.id, v.tenant_id, v.domain_id, d.domain, v.box, v.name, v.email, v.enabled, v.created_at, v.updated_at`

const tables = (sql: SqlClient.SqlClient) =>
  sql`sip_config.voicemail_box v join sip_config.sip_domain d on d.id = v.domain_id`

export interface Filter {
  readonly tenant_id?: number
  readonly domain?: string
  readonly number?: string
}

/** Voicemail boxes, newest first, at most `limit`. */
export const list = Effect.fnUntraced(function* (
  { domain, number, tenant_id: tenant }: Filter,
  before: number | undefined,
  limit: number
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<VoicemailBox>`select ${fields(sql)} from ${tables(sql)} where ${sql.and([
    sql`true`,
    ...(tenant === undefined ? [] : [sql`v.tenant_id = ${tenant}`]),
    ...(domain === undefined ? [] : [sql`d.domain = ${domain}`]),
    ...(number === undefined ? [] : [sql`v.box = ${number}`]),
    ...(before === undefined ? [] : [sql`v.id < ${before}`])
  ])} order by v.id desc limit ${limit}`
})

/** Voicemail box with this ID, or 404. */
export const get = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<VoicemailBox>`select ${fields(sql)} from ${tables(sql)} where v.id = ${id}`
  return row ?? (yield* missing)
})

const held = Effect.fnUntraced(function* (id: number) {
  yield* inTurn((yield* get(id)).tenant_id)
  return yield* get(id)
})

/** Voicemail box with its sealed PIN; writes an audit entry that the PIN was shown. */
export const shown = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    VoicemailBox & { readonly pin: string }
  >`select ${fields(sql)}, v.pin from ${tables(sql)} where v.id = ${id}`
  if (row === undefined) return yield* missing
  yield* note("sip_voicemail_box", row, "pin_shown", { box: row.box, domain: row.domain })
  return row
})

/** Creates a voicemail box. `named` undefined: in the tenant's only SIP domain. */
export const create = Effect.fnUntraced(function* (
  tenantId: number,
  named: string | undefined,
  box: Settings,
  pin: Sealed
) {
  const sql = yield* SqlClient.SqlClient
  yield* inTurn(tenantId)
  const { domain, id: domainId } = yield* SipDomains.meant(tenantId, named)
  yield* orTaken(
    sql`insert into sip_config.voicemail_box (id, tenant_id, domain_id, box, name, pin, email, enabled)
    values (${pin.id}, ${tenantId}, ${domainId}, ${box.box}, ${box.name}, ${pin.envelope}, ${box.email},
      ${box.enabled})`,
    taken
  )
  // The row was just inserted in this transaction, so a 404 is a defect.
  const made = yield* Effect.orDie(get(pin.id))
  yield* changed("sip_voicemail_box", made, "created", { ...box, domain })
  return made
})

/** Changes the given fields. `pin`: sealed envelope. */
export const update = Effect.fnUntraced(function* (
  id: number,
  to: Partial<Settings> & { readonly domain?: string },
  pin?: string
) {
  const sql = yield* SqlClient.SqlClient
  const before = yield* held(id)
  const after = { ...before, ...to }
  const found = differences(before, after, ["domain", "box", "name", "email", "enabled"])
  if (found !== undefined) {
    const { id: domainId } = yield* SipDomains.claimed(before.tenant_id, after.domain)
    yield* orTaken(
      sql`update sip_config.voicemail_box set domain_id = ${domainId}, box = ${after.box}, name = ${after.name},
        email = ${after.email},
      enabled = ${after.enabled}, updated_at = now() where id = ${id}`,
      taken
    )
    if (domainId !== before.domain_id) yield* SipDomains.released(before.domain_id)
    yield* changed("sip_voicemail_box", before, "changed", found)
  }
  return yield* pin === undefined ? get(id) : setPin(id, pin)
})

/** Replaces the sealed PIN. */
export const setPin = Effect.fnUntraced(function* (id: number, pin: string) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  yield* sql`update sip_config.voicemail_box set pin = ${pin}, updated_at = now() where id = ${id}`
  yield* changed("sip_voicemail_box", row, "pin_set", { box: row.box, domain: row.domain })
  return yield* get(id)
})

/** Deletes a voicemail box; 409 while a DID or menu leads to it. */
export const remove = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const row = yield* held(id)
  yield* notLedTo("voicemail", row)
  yield* sql`delete from sip_config.voicemail_box where id = ${id}`
  yield* SipDomains.released(row.domain_id)
  yield* changed("sip_voicemail_box", row, "deleted", { box: row.box, domain: row.domain })
})

const taken = new NumberTaken({ detail: "A voicemail box of the domain has this number." })
const missing = new NotFound({ detail: "The voicemail box does not exist." })
