import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { useFilterable } from "../../parts/Filterable.ts"
import { useFilters } from "../../parts/Address.ts"
import { Empty } from "../../parts/Empty.tsx"
import { FilterSelect, FilterText } from "../../parts/FilterSelect.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { PeoplePage } from "./PeoplePage.tsx"
import { TenantSelect, useTenants } from "./Tenants.tsx"
import { useUserActions } from "./UserActions.tsx"
import { UserForm } from "./UserForm.tsx"
import { UserTable } from "./UserTable.tsx"
import { type Role, roles, roleTitle, shared } from "./Words.ts"

const t = words({
  en: {
    add: "Add a user",
    list: "All users",
    search: "Name or address",
    none: "No users yet",
    about: "Whoever signs in to the console, to mail or to a telephone is a user of a tenant.",
    nothing: "No user matches the filters."
  },
  de: {
    add: "Benutzer anlegen",
    list: "Alle Benutzer",
    search: "Name oder Adresse",
    none: "Noch keine Benutzer",
    about: "Wer sich an der Konsole, an der Mail oder an einem Telefon anmeldet, ist Benutzer eines Mandanten.",
    nothing: "Kein Benutzer passt zu den Filtern."
  }
})

/** Users per page. */
const pageSize = 50

const defaults = { q: "", role: "", state: "", tenant: "" } as const

/** Users of a tenant: search, add, and actions on each. */
export default () => {
  const { clear, isSet, set, value } = useFilters(defaults)
  const adding = useSignal(false)
  const tenants = useTenants()
  const tenant = value.tenant === "" ? undefined : value.tenant
  const keys = [value.q, value.role, value.state, value.tenant]
  const trail = useTrail(keys)
  const before = trail.value.at(-1)
  const found = useLoad(
    () =>
      call("GET /api/v1/users", {
        query: {
          limit: pageSize,
          before,
          q: value.q,
          role: value.role as Role,
          state: value.state as "active",
          tenant_id: tenant
        }
      }),
    [...keys, before]
  )
  const actions = useUserActions({ tenant, changed: found.reload, removed: found.reload })
  const isNarrowed = value.q !== "" || value.role !== "" || value.state !== ""
  const filterable = useFilterable(found, isNarrowed || before !== undefined)
  const isEmpty = found.value.value?.items.length === 0 && !isNarrowed && before === undefined
  const add = (
    <button type="button" class="primary" onClick={() => (adding.value = true)}>
      {t().add}
    </button>
  )
  return (
    <PeoplePage section="users" actions={may("users.manage") && !adding.value ? add : undefined}>
      {actions.shown}
      {adding.value ? (
        <UserForm
          key={value.tenant}
          user={undefined}
          tenant={tenant}
          shut={() => (adding.value = false)}
          saved={(user) => {
            adding.value = false
            found.reload()
            actions.makeLink(user)
          }}
        />
      ) : null}
      <section class="card" aria-labelledby="users">
        <h2 id="users">{t().list}</h2>
        <div class="filters">
          <TenantSelect of={tenants} value={value.tenant} set={(one) => set("tenant", one)} />
          {filterable ? (
            <>
              <FilterText label={t().search} name="q" value={value.q} set={(one) => set("q", one)} />
              <FilterSelect
                label={shared().role}
                name="role"
                value={value.role}
                options={roles.map((role) => [role, roleTitle(role)])}
                set={(one) => set("role", one)}
              />
              <FilterSelect
                label={shared().state}
                name="state"
                value={value.state}
                options={(["active", "suspended"] as const).map((state) => [state, shared()[state]])}
                set={(one) => set("state", one)}
              />
            </>
          ) : null}
        </div>
        <Loading of={found}>
          {({ items, next_before }) => (
            <>
              <UserTable
                users={items}
                tenant={tenant}
                actions={actions}
                labelledBy="users"
                empty={
                  isEmpty ? (
                    <Empty title={t().none} text={t().about}>
                      {may("users.manage") ? add : undefined}
                    </Empty>
                  ) : (
                    <Empty text={t().nothing}>
                      {isSet ? (
                        <button type="button" onClick={clear}>
                          {shared().clear}
                        </button>
                      ) : undefined}
                    </Empty>
                  )
                }
              />
              <Pager next={next_before} trail={trail} />
            </>
          )}
        </Loading>
      </section>
    </PeoplePage>
  )
}
