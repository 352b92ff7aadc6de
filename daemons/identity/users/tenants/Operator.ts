/** Implementation of `signalbox tenant …`. */
import { Effect } from "effect"
import { exitUsage, fail } from "#core/cli/Ending.ts"
import { print, table } from "#core/cli/Output.ts"
import * as TenantChanges from "./TenantChanges.ts"
import * as Tenants from "./Store.ts"
import { operator } from "../AuditActor.ts"
import { nameProblem } from "../UserFields.ts"
import { inTransaction } from "../OperatorStorage.ts"
import { minute } from "#core/cli/Moment.ts"

interface Flags {
  readonly id: number
  readonly json: boolean
}

export const create = Effect.fnUntraced(function* (flags: { readonly name: string; readonly json: boolean }) {
  const name = flags.name.trim()
  const problem = nameProblem(name)
  if (problem !== undefined) return yield* fail(`--name ${problem}`, exitUsage)
  const created = yield* inTransaction(TenantChanges.create(operator, name))
  yield* print(flags.json, created, () => [`Tenant ${created.id}: ${created.name}.`])
})

export const list = Effect.fnUntraced(function* (flags: { readonly limit: number; readonly json: boolean }) {
  const tenants = yield* inTransaction(Tenants.list(flags.limit))
  yield* print(flags.json, tenants, () =>
    table("No tenants.", [
      ["ID", "NAME", "STATE", "CREATED"],
      ...tenants.map(({ created_at, id, name, state }) => [String(id), name, state, minute(created_at)])
    ])
  )
})

export const suspend = (flags: Flags) =>
  changed(
    flags,
    TenantChanges.suspend(operator, flags.id),
    ({ name }) => `${name} is suspended. All sessions of its users end within a second.`
  )

export const unsuspend = (flags: Flags) =>
  changed(flags, TenantChanges.unsuspend(operator, flags.id), ({ name }) => `The users of ${name} can sign in again.`)

const changed = Effect.fnUntraced(function* (
  flags: Flags,
  change: ReturnType<typeof TenantChanges.suspend> | ReturnType<typeof TenantChanges.unsuspend>,
  message: (tenant: Tenants.Tenant) => string
) {
  // An id out of Postgres's range would cause a database error instead of this message.
  if (flags.id < 1 || flags.id >= 2 ** 31) return yield* noSuchTenant(flags.id)
  const tenant = yield* inTransaction(
    Effect.catchTag(change as ReturnType<typeof TenantChanges.suspend>, "NotFound", () => noSuchTenant(flags.id))
  )
  yield* print(flags.json, tenant, () => [message(tenant)])
})

const noSuchTenant = (id: number) => fail(`there is no tenant ${id}; \`signalbox tenant list\` lists all tenants`)
