/**
 * Changes of tenants and their rules, in the surrounding transaction of the platform. Each writes the tenant's audit
 * log; the caller refreshes Standing after the commit.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Audit from "#core/log/Audit.ts"
import { providerTenant } from "#core/auth/Caller.ts"
import { NotFound } from "#core/http/Problem.ts"
import { endSessions } from "../../sessions/Exports.ts"
import type { AuditActor } from "../AuditActor.ts"
import { ProviderTenant } from "../Errors.ts"
import * as Tenants from "./Store.ts"

export const noSuchTenant = new NotFound({ detail: "There is no such tenant." })

const writeAudit = (actor: AuditActor, id: number, action: string, detail: Audit.Entry["detail"] = {}) =>
  Audit.write({
    tenantId: id,
    actor: actor.name,
    action,
    entity: "tenant",
    id: String(id),
    address: actor.address,
    detail
  })

/** Locks the tenant until the transaction ends and returns it. */
const lockTenant = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`select 1 from identity.tenant where id = ${id} for update`
  return (yield* Tenants.get(id)) ?? (yield* noSuchTenant)
})

/** Creates a tenant. */
export const create = Effect.fnUntraced(function* (actor: AuditActor, name: string) {
  const created = yield* Tenants.create(name)
  yield* writeAudit(actor, created.id, "tenant.created", { name })
  return created
})

export const rename = Effect.fnUntraced(function* (actor: AuditActor, id: number, name: string) {
  const before = yield* lockTenant(id)
  if (before.name === name) return before
  const after = (yield* Tenants.change(id, { name }))!
  yield* writeAudit(actor, id, "tenant.renamed", { from: before.name, to: name })
  return after
})

/** Suspends a tenant: ends all sessions of its users and prevents signing in. */
export const suspend = Effect.fnUntraced(function* (actor: AuditActor, id: number) {
  const before = yield* lockTenant(id)
  if (id === providerTenant) return yield* new ProviderTenant({ detail: "Suspend its users individually instead." })
  if (before.state === "suspended") return before
  const after = (yield* setState(id, "suspended"))!
  const ended = yield* endSessions({ tenant: id }, "tenant_suspended")
  yield* writeAudit(actor, id, "tenant.suspended", { sessions: ended.length })
  return after
})

/** Lifts the suspension, so that the tenant's users can sign in again. */
export const unsuspend = Effect.fnUntraced(function* (actor: AuditActor, id: number) {
  const before = yield* lockTenant(id)
  if (before.state === "active") return before
  const after = (yield* setState(id, "active"))!
  yield* writeAudit(actor, id, "tenant.unsuspended")
  return after
})

const setState = (id: number, state: Tenants.Tenant["state"]) =>
  Effect.catchTag(Tenants.change(id, { state }), "TenantNameTaken", Effect.die)
