/**
 * SQL of signatures. An account has at most one default, and a rule belongs to one signature. Functions run in the
 * surrounding transaction with its role; changes write the audit log. Callers sanitise the HTML.
 */
import { Array as Arr, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import type { Account } from "../../accounts/Exports.ts"
import { writeAudit } from "../AuditNote.ts"
import { LimitReached, SignatureRuleTaken } from "../Errors.ts"
import { lockAccount } from "../LockAccount.ts"
import { type SignatureRule, matching } from "./SignatureRules.ts"

/** Maximum number of signatures per account. Reason: more than anybody needs. */
export const maxSignatures = 100

export interface Signature {
  readonly id: number
  readonly name: string
  readonly html: string
  readonly is_default: boolean
  readonly rules: ReadonlyArray<SignatureRule>
  readonly created_at: Date
  readonly updated_at: Date
}

/** Fields of a signature, with normalised rules. */
export interface SignatureFields {
  readonly name: string
  readonly html: string
  readonly is_default: boolean
  readonly rules: ReadonlyArray<SignatureRule>
}

const select = (sql: SqlClient.SqlClient) => sql`select s.id, s.name, s.html, s.is_default, s.created_at, s.updated_at,
    coalesce((select jsonb_agg(jsonb_build_object('match_type', r.match_type, 'match_value', r.match_value)
      order by r.position)
      from mail_watcher.signature_rule r where r.signature_id = s.id), '[]') as rules
  from mail_watcher.signature s`

/** Signatures, newest first. */
export const list = Effect.fnUntraced(function* (account: Account, before: number | undefined, limit: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Signature>`${select(sql)} where s.account_id = ${account.id}
    and ${before === undefined ? sql`true` : sql`s.id < ${before}`} order by s.id desc limit ${limit}`
})

/** The signature of this id. Fails with 404. */
export const get = Effect.fnUntraced(function* (account: Account, id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Signature>`${select(sql)} where s.account_id = ${account.id} and s.id = ${id}`
  return row ?? (yield* new NotFound({ detail: "The signature does not exist." }))
})

/** Signature for mail to this normalised address, else the default, else undefined. Without an address: the default. */
export const match = Effect.fnUntraced(function* (account: Account, address: string | undefined) {
  const sql = yield* SqlClient.SqlClient
  const values = address === undefined ? [] : matching(address)
  const rules = Arr.isReadonlyArrayNonEmpty(values)
    ? yield* sql<{
        signature_id: number
        match_value: string
      }>`select signature_id, match_value from mail_watcher.signature_rule
        where account_id = ${account.id} and ${sql.in("match_value", values)}`
    : []
  const best = values
    .map((value) => rules.find(({ match_value }) => match_value === value))
    .find((rule) => rule !== undefined)
  const which = best === undefined ? sql`s.is_default` : sql`s.id = ${best.signature_id}`
  const [row] = yield* sql<Signature>`${select(sql)} where s.account_id = ${account.id} and ${which}`
  return row
})

export const create = Effect.fnUntraced(function* (
  account: Account,
  { html, is_default, name, rules }: SignatureFields
) {
  const sql = yield* SqlClient.SqlClient
  yield* lockAccount(account)
  const [{ count }] = (yield* sql<{
    count: number
  }>`select count(*)::int as count from mail_watcher.signature where account_id = ${account.id}`) as [{ count: number }]
  if (count >= maxSignatures)
    return yield* new LimitReached({
      limit: maxSignatures,
      detail: "The account has the maximum number of signatures."
    })
  if (is_default) yield* noDefault(account)
  const [{ id }] = (yield* sql<{
    id: number
  }>`insert into mail_watcher.signature (tenant_id, account_id, name, html, is_default)
    values (${account.tenant_id}, ${account.id}, ${name}, ${html}, ${is_default}) returning id`) as [{ id: number }]
  yield* putRules(account, id, rules)
  yield* writeAudit("mail_signature", id, account, "created")
  return yield* get(account, id)
})

/** Changes the given fields. */
export const update = Effect.fnUntraced(function* (account: Account, id: number, given: Partial<SignatureFields>) {
  const sql = yield* SqlClient.SqlClient
  yield* lockAccount(account)
  const { html, is_default, name } = { ...(yield* get(account, id)), ...given }
  if (is_default) yield* noDefault(account)
  yield* sql`update mail_watcher.signature set name = ${name}, html = ${html}, is_default = ${is_default},
    updated_at = now() where id = ${id}`
  if (given.rules !== undefined) yield* putRules(account, id, given.rules)
  yield* writeAudit("mail_signature", id, account, "changed", { fields: Object.keys(given) })
  return yield* get(account, id)
})

export const remove = Effect.fnUntraced(function* (account: Account, id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* lockAccount(account)
  const gone =
    yield* sql`delete from mail_watcher.signature where account_id = ${account.id} and id = ${id} returning 1`
  if (gone.length === 0) return yield* Effect.asVoid(get(account, id))
  yield* writeAudit("mail_signature", id, account, "deleted")
})

const noDefault = Effect.fnUntraced(function* (account: Account) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update mail_watcher.signature set is_default = false where account_id = ${account.id} and is_default`
})

/** Replaces the rules of a signature and removes duplicates. */
const putRules = Effect.fnUntraced(function* (account: Account, id: number, given: ReadonlyArray<SignatureRule>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from mail_watcher.signature_rule where signature_id = ${id}`
  const rules = Arr.dedupeWith(given, (one, other) => one.match_value === other.match_value)
  if (!Arr.isReadonlyArrayNonEmpty(rules)) return
  const [taken] = yield* sql<{
    signature_id: number
    match_value: string
  }>`select signature_id, match_value from mail_watcher.signature_rule
    where account_id = ${account.id} and ${sql.in(
      "match_value",
      rules.map(({ match_value }) => match_value)
    )} limit 1`
  if (taken !== undefined)
    return yield* new SignatureRuleTaken({ ...taken, detail: "Another signature has this rule." })
  yield* sql`insert into mail_watcher.signature_rule ${sql.insert(
    Arr.map(rules, ({ match_type, match_value }, position) => ({
      tenant_id: account.tenant_id,
      account_id: account.id,
      signature_id: id,
      match_type,
      match_value,
      position
    }))
  )}`
})
