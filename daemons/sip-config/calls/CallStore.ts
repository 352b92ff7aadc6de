/**
 * Writes calls. Each step is written with its event in the surrounding transaction, once: a repeated step changes no
 * row and emits no event. Calls from trunks are announced to the tenant by events. Calls from the tenant's own phones
 * are only recorded.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { CountryCode } from "libphonenumber-js/min"
import { CallAnswered, CallEnded, CallIncoming } from "#core/contracts/Calls.ts"
import { Events } from "#core/events/Events.ts"
import { Lookup, source } from "../customers/Exports.ts"
import { e164 } from "../directory/Exports.ts"
import { type CallFilter, judge } from "../routing/Exports.ts"
import type { Began, Step } from "./CallBook.ts"

/** Caller ID of a caller who hides the number. */
const anonymous = "anonymous"

/** Writes one step of a call. */
export const write = (step: Step, country: CountryCode) =>
  step._tag === "Began" ? began(step, country) : step._tag === "Answered" ? answered(step) : ended(step)

const began = Effect.fnUntraced(function* (call: Began, country: CountryCode) {
  if (call.tenantId !== undefined) return yield* ownCall(call, call.tenantId, country)
  const sql = yield* SqlClient.SqlClient
  const numbers = call.called
    .flatMap((called) => [e164(called, country), `+${called.replace(/^\+|^00/, "")}`])
    .filter((number) => number !== undefined)
  const [did] = yield* sql<{ tenant_id: number; number: string }>`select tenant_id, number from sip_config.did
    where number = any(${numbers}::text[]) and assigned order by array_position(${numbers}::text[], number) limit 1`
  // The dialled number is no DID of any tenant: the caller is a scanner, or the number is not configured.
  if (did === undefined) return
  const caller = callerOf(call.caller, country)
  if (yield* isRejected(did.tenant_id, caller, country)) return yield* rejected(call, did, caller)
  const [customer, ...others] = yield* Lookup.find(did.tenant_id, caller)
  const at = new Date(call.at)
  const made = yield* sql`insert into sip_config.call
      (id, tenant_id, direction, caller_id, did_number, customer_id, state, started_at)
    values
      (${call.id}, ${did.tenant_id}, 'inbound', ${caller}, ${did.number}, ${customer?.id ?? null}, 'ringing', ${at})
    on conflict do nothing returning 1`
  if (made.length === 0) return
  yield* Effect.flatMap(Events, (events) =>
    events.emit(
      CallIncoming,
      source,
      {
        call_id: call.id,
        caller_id: caller,
        did_number: did.number,
        customer: customer === undefined ? null : shown(customer),
        ...(others.length === 0 ? {} : { more_customers: others.map(shown) }),
        at: at.toISOString()
      },
      { tenantId: did.tenant_id }
    )
  )
})

/** Whether the tenant's filters reject the caller, as the routing of the call does. */
const isRejected = Effect.fnUntraced(function* (tenantId: number, caller: string, country: CountryCode) {
  const sql = yield* SqlClient.SqlClient
  const filters = yield* sql<CallFilter>`select id, tenant_id, name, type, pattern, enabled from sip_config.call_filter
    where tenant_id = ${tenantId} and enabled order by id`
  return !judge(filters, caller, country).passes
})

/** Hang-up cause of a caller whom a filter rejects. */
const rejectedCause = "CALL_REJECTED"

/** Records a rejected call as ended. No event: it must ring on no screen and begin no workflow. */
const rejected = Effect.fnUntraced(function* (
  call: Began,
  did: { readonly tenant_id: number; readonly number: string },
  caller: string
) {
  const sql = yield* SqlClient.SqlClient
  const at = new Date(call.at)
  yield* sql`insert into sip_config.call
      (id, tenant_id, direction, caller_id, did_number, state, started_at, ended_at, cause)
    values (${call.id}, ${did.tenant_id}, 'inbound', ${caller}, ${did.number}, 'ended', ${at}, ${at}, ${rejectedCause})
    on conflict do nothing`
})

/** Customer as events show it. */
const shown = ({ locale, name, number }: Lookup.Known) => ({ name, number, locale })

/** Records a call from a phone of the tenant. The call is outbound unless the dialled number looks internal. */
const ownCall = Effect.fnUntraced(function* (
  { at, called: [called = ""], caller, id }: Began,
  tenantId: number,
  country: CountryCode
) {
  const sql = yield* SqlClient.SqlClient
  const number = e164(called, country)
  const direction = /^\+|^0/.test(called) || called.replace(/\D/g, "").length > 5 ? "outbound" : "internal"
  yield* sql`insert into sip_config.call (id, tenant_id, direction, caller_id, destination, state, started_at)
    values (${id}, ${tenantId}, ${direction}, ${caller === "" ? anonymous : caller},
    ${direction === "outbound" ? (number ?? called) : called}, 'ringing', ${new Date(at)})
    on conflict do nothing`
})

interface Row {
  readonly tenant_id: number
  readonly direction: string
  readonly extension: string | null
  readonly answered_at: Date | null
}

/**
 * Records the answer. Emits an event for the first answer, and a second one when the extension becomes known later
 * (behind a menu).
 */
const answered = Effect.fnUntraced(function* ({ at, extension, id }: Extract<Step, { _tag: "Answered" }>) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Row>`update sip_config.call set state = 'answered',
      answered_at = coalesce(answered_at, ${new Date(at)}), extension = ${extension ?? null}::text
    where id = ${id} and (state = 'ringing' or (state = 'answered' and extension is null
      and ${extension ?? null}::text is not null))
    returning tenant_id, direction, extension, answered_at`
  if (row?.direction !== "inbound") return
  yield* Effect.flatMap(Events, (events) =>
    events.emit(
      CallAnswered,
      source,
      { call_id: id, extension: row.extension, at: new Date(at).toISOString() },
      { tenantId: row.tenant_id }
    )
  )
})

const ended = Effect.fnUntraced(function* ({ at, cause, id }: Extract<Step, { _tag: "Ended" }>) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Row>`update sip_config.call set state = 'ended', ended_at = ${new Date(at)}, cause = ${cause}
    where id = ${id} and state <> 'ended' returning tenant_id, direction, extension, answered_at`
  if (row?.direction !== "inbound") return
  const duration = row.answered_at === null ? 0 : Math.max(0, Math.round((at - row.answered_at.getTime()) / 1000))
  yield* Effect.flatMap(Events, (events) =>
    events.emit(
      CallEnded,
      source,
      { call_id: id, answered: row.answered_at !== null, cause, duration, at: new Date(at).toISOString() },
      { tenantId: row.tenant_id }
    )
  )
})

/** Caller ID: E.164, else the number as the line shows it, else `anonymous`. */
const callerOf = (shown: string, country: CountryCode): string =>
  e164(shown, country) ?? (/\d/.test(shown) ? shown : anonymous)

/**
 * Maximum number of calls checked with the switch at once. Reason: one request takes a millisecond; the next check
 * covers the rest.
 */
const maxAsked = 500

/** IDs of calls that have not ended, oldest first. */
export const open = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ id: string }>`select id from sip_config.call where state <> 'ended' order by started_at limit ${maxAsked}`,
    (rows) => rows.map(({ id }) => id)
  )
)

/** Deletes ended calls that began more than `days` days ago. */
export const prune = (days: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`delete from sip_config.call where started_at < now() - make_interval(days => ${days}) and state = 'ended'`
  )
