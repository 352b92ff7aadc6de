/** Choice of a tenant, for users of the provider who see every tenant. */
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { type Loaded, useLoad } from "../../lib/Load.ts"
import { isProvider, may, me } from "../../lib/Me.ts"
import { shared } from "./Words.ts"

type Tenant = Answer<"GET /api/v1/tenants/:id">

/** Items of a page. Unit: tenants. Reason: the most that the API answers. */
const pageSize = 200

/**
 * Maximum number of tenants in the choice. Reason: a longer menu is unusable; the list of tenants links to the rest.
 */
const most = 1_000

/** Whether the user may act in other tenants. The same rule as the server's. */
export const seesAllTenants = (): boolean => isProvider() && may("tenants.manage")

const all = async (): Promise<ReadonlyArray<Tenant>> => {
  if (!seesAllTenants()) return []
  const found: Array<Tenant> = []
  let before: string | undefined
  do {
    const page = await call("GET /api/v1/tenants", { query: { limit: pageSize, before } })
    found.push(...page.items)
    before = page.next_before === null ? undefined : String(page.next_before)
  } while (before !== undefined && found.length < most)
  return found.toSorted((a, b) => a.name.localeCompare(b.name))
}

/** All tenants by name; empty for users who see only their own. */
export const useTenants = (): Loaded<ReadonlyArray<Tenant>> => useLoad(all, [seesAllTenants()])

/** Menu of tenants; the empty value is the user's own. Nothing when there is no choice. */
export const TenantSelect = ({
  of,
  set,
  value
}: {
  readonly of: Loaded<ReadonlyArray<Tenant>>
  readonly value: string
  readonly set: (value: string) => void
}) => {
  const own = me.value
  const others = (of.value.value ?? []).filter(({ id }) => id !== own?.tenant_id)
  if (!seesAllTenants() || (others.length === 0 && value === "")) return null
  // A tenant of the address that is not in the list, such as one beyond the limit.
  const isUnknown = value !== "" && !others.some(({ id }) => String(id) === value)
  return (
    <label class="filter-select">
      {shared().tenant}
      <select name="tenant" value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        <option value="">{own?.tenant_name}</option>
        {isUnknown ? <option value={value}>{value}</option> : null}
        {others.map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
