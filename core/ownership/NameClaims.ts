/**
 * Claims of tenants to domain names. Several tenants may claim a name; for each kind of use at most one of them is
 * proven and holds it. Functions run in the surrounding transaction, whatever role it has.
 */
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type CallerInfo, providerTenant } from "../auth/Caller.ts"
import { type ClaimKind, type ClaimState, NameProven } from "../contracts/NameClaims.ts"
import { Events } from "../events/Events.ts"
import { Wake } from "../events/Wake.ts"
import { asPlatform } from "../sql/Sql.ts"
import { isReserved, selfAndParents } from "./Challenge.ts"
import { NameHeld, NameReserved, TooManyClaims } from "./Errors.ts"
import { OwnNames } from "./OwnNames.ts"

/** Length of a token. Unit: random bytes. Reason: cannot be guessed; fits one string of a TXT record. */
const tokenBytes = 16

/** Maximum number of pending claims of a tenant. Reason: each is looked up in DNS. */
export const maxPending = 100

/** How a claim was proven. `upgrade`: the name was in use before claims existed. */
export type ProvenBy = "dns" | "asserted" | "upgrade"

export interface Claim {
  readonly id: number
  readonly kind: ClaimKind
  readonly tenant_id: number
  readonly name: string
  readonly token: string
  readonly state: ClaimState
}

/** Whether the caller's word is enough: service tokens and users of the provider's tenant. */
export const mayAssert = (caller: CallerInfo): boolean =>
  caller.kind === "service" || caller.tenantId === providerTenant

/** Serialises changes of the holder of a name. */
const inTurn = (kind: ClaimKind, name: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`select pg_advisory_xact_lock(hashtext(${`core.name_claim/${kind}`}), hashtext(${name}))`
  )

const holderOf = Effect.fnUntraced(function* (kind: ClaimKind, name: string) {
  const sql = yield* SqlClient.SqlClient
  const [held] = yield* sql<{ tenant_id: number }>`select tenant_id from core.name_claim
    where kind = ${kind} and name = ${name} and state = 'proven'`
  return held?.tenant_id
})

/**
 * Opens the tenant's claim to a name. It is proven at once when the caller asserts it, or when the tenant has proven
 * the name or a parent of it before. Fails when another tenant holds the name, and without assertion for the provider's
 * own names.
 */
export const open = Effect.fnUntraced(function* (kind: ClaimKind, tenantId: number, name: string, isAsserted: boolean) {
  if (!isAsserted && isReserved(name, (yield* OwnNames)()))
    return yield* new NameReserved({ detail: "This name belongs to the provider. Choose another one." })
  return yield* asPlatform(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* inTurn(kind, name)
      const holder = yield* holderOf(kind, name)
      if (holder !== undefined && holder !== tenantId) return yield* new NameHeld({ detail: "Choose another name." })
      const [known] = yield* sql<{ covered: boolean; token: string | null; pending: number }>`select
        exists (select 1 from core.name_claim where tenant_id = ${tenantId} and state = 'proven'
          and proven_by <> 'upgrade' and ${sql.in("name", selfAndParents(name))}) as covered,
        (select token from core.name_claim where tenant_id = ${tenantId} and name = ${name} limit 1) as token,
        (select count(*)::int from core.name_claim where tenant_id = ${tenantId} and state = 'pending') as pending`
      const provenBy: ProvenBy | null = isAsserted ? "asserted" : known!.covered ? "dns" : null
      if (provenBy === null && known!.pending >= maxPending)
        return yield* new TooManyClaims({ detail: `Prove or delete some of the ${maxPending} unproven domains first.` })
      const [row] = yield* sql<Claim>`insert into core.name_claim (kind, tenant_id, name, token, state, proven_by)
        values (${kind}, ${tenantId}, ${name}, ${known!.token ?? randomBytes(tokenBytes).toString("hex")},
          ${provenBy === null ? "pending" : "proven"}, ${provenBy})
        on conflict (kind, tenant_id, name) do update set
          state = case when core.name_claim.state = 'proven' then 'proven' else excluded.state end,
          proven_by = coalesce(core.name_claim.proven_by, excluded.proven_by)
        returning id, kind, tenant_id, name, token, state`
      return row!
    })
  )
})

/** Wake topic that is announced when a claim is due for a look at DNS. */
export const dueTopic = "core.name_claim"

/** Shortest pause between two looks that a tenant asks for. Unit: seconds. Reason: each asks the name's servers. */
const shortestPause = 10

/** Looks at DNS soon, because the tenant says that the record is published. Does nothing for a proven claim. */
export const hasten = (kind: ClaimKind, tenantId: number, name: string) =>
  asPlatform(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update core.name_claim set next_look_at = least(next_look_at,
          greatest(now(), looked_at + make_interval(secs => ${shortestPause})))
        where kind = ${kind} and tenant_id = ${tenantId} and name = ${name} and state = 'pending'`
      yield* (yield* Wake).announce(dueTopic)
    })
  )

/** Deletes the tenant's claim, so that another tenant can hold the name. */
export const release = (kind: ClaimKind, tenantId: number, name: string) =>
  asPlatform(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`delete from core.name_claim where kind = ${kind} and tenant_id = ${tenantId} and name = ${name}`
    )
  )

/**
 * Makes a pending claim proven and announces it. Returns whether the tenant holds the name now: false when another
 * tenant does, or when the claim does not exist.
 */
export const prove = Effect.fnUntraced(function* (
  kind: ClaimKind,
  tenantId: number,
  name: string,
  provenBy: Exclude<ProvenBy, "upgrade">
) {
  const events = yield* Events
  return yield* asPlatform(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* inTurn(kind, name)
      const holder = yield* holderOf(kind, name)
      if (holder !== undefined) return holder === tenantId
      const rows = yield* sql`update core.name_claim set state = 'proven', proven_by = ${provenBy}
        where kind = ${kind} and tenant_id = ${tenantId} and name = ${name} returning 1`
      if (rows.length === 0) return false
      yield* events.emit(NameProven, "core", { kind, tenant_id: tenantId, name }, { tenantId })
      return true
    })
  )
})
