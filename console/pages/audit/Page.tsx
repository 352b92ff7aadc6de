import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { useFilterable } from "../../parts/Filterable.ts"
import { useFilters, write } from "../../parts/Address.ts"
import { Empty } from "../../parts/Empty.tsx"
import { FilterDay, FilterText } from "../../parts/FilterSelect.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { TenantSelect, useTenants } from "../people/Tenants.tsx"
import { shared } from "../people/Words.ts"
import { AuditTable } from "./AuditTable.tsx"
import { endOf, startOf } from "./Days.ts"

const t = words({
  en: {
    title: "Audit log",
    list: "Changes and refused sign-ins",
    about: "Every change is listed here for 400 days: who made it, when, from where, and on what.",
    actor: "Who",
    actorExample: "user:12",
    action: "Action",
    actionExample: "user.*",
    type: "Kind of object",
    object: "Id of the object",
    since: "From",
    until: "To",
    none: "No entries yet",
    nothing: "No entry matches the filters."
  },
  de: {
    title: "Protokoll",
    list: "Änderungen und abgewiesene Anmeldungen",
    about: "Hier steht 400 Tage lang jede Änderung: von wem, wann, von wo und woran.",
    actor: "Wer",
    actorExample: "user:12",
    action: "Aktion",
    actionExample: "user.*",
    type: "Art des Objekts",
    object: "Kennung des Objekts",
    since: "Von",
    until: "Bis",
    none: "Noch keine Einträge",
    nothing: "Kein Eintrag passt zu den Filtern."
  }
})

/** Entries per page. */
const pageSize = 50

/** Users whose names are looked up at once. Source: the largest page of the API. */
const namedUsers = 200

const defaults = { actor: "", action: "", entity_type: "", entity_id: "", since: "", until: "", tenant: "" } as const

/** The audit log with filters, newest first. */
export default () => {
  const { clear, isSet, set, value } = useFilters(defaults)
  const tenants = useTenants()
  const tenant = value.tenant === "" ? undefined : value.tenant
  const keys = Object.values(value)
  const trail = useTrail(keys)
  const before = trail.value.at(-1)
  const { action, actor, entity_id, entity_type } = value
  const found = useLoad(
    () =>
      call("GET /api/v1/audit", {
        query: {
          limit: pageSize,
          before,
          tenant_id: tenant,
          action,
          actor,
          entity_type,
          entity_id,
          since: startOf(value.since),
          until: endOf(value.until)
        }
      }),
    [...keys, before]
  )
  // Names are an aid: without the permission, and beyond the newest users, the log shows ids.
  const users = useLoad(
    async () =>
      may("users.read")
        ? (await call("GET /api/v1/users", { query: { limit: namedUsers, tenant_id: tenant } })).items
        : [],
    [tenant]
  )
  const names = new Map((users.value.value ?? []).map(({ id, name }) => [String(id), name] as const))
  const href = (filters: Readonly<Record<string, string>>): string =>
    `/console/audit${write({ ...defaults, tenant: value.tenant, ...filters }, defaults)}`
  const isNarrowed = Object.entries(value).some(([name, one]) => name !== "tenant" && one !== "")
  const filterable = useFilterable(found, isNarrowed || before !== undefined)
  const isEmpty = found.value.value?.items.length === 0 && !isNarrowed && before === undefined
  return (
    <Page title={t().title}>
      <section class="card" aria-labelledby="audit">
        <h2 id="audit">{t().list}</h2>
        <p class="soft">{t().about}</p>
        <div class="filters">
          <TenantSelect of={tenants} value={value.tenant} set={(one) => set("tenant", one)} />
          {filterable ? (
            <>
              <FilterText
                label={t().actor}
                name="actor"
                value={actor}
                placeholder={t().actorExample}
                set={(one) => set("actor", one)}
              />
              <FilterText
                label={t().action}
                name="action"
                value={action}
                placeholder={t().actionExample}
                set={(one) => set("action", one)}
              />
              <FilterText
                label={t().type}
                name="entity_type"
                value={entity_type}
                set={(one) => set("entity_type", one)}
              />
              <FilterText label={t().object} name="entity_id" value={entity_id} set={(one) => set("entity_id", one)} />
              <FilterDay label={t().since} name="since" value={value.since} set={(one) => set("since", one)} />
              <FilterDay label={t().until} name="until" value={value.until} set={(one) => set("until", one)} />
              {isSet ? (
                <button type="button" onClick={clear}>
                  {shared().clear}
                </button>
              ) : null}
            </>
          ) : null}
        </div>
        <Loading of={found}>
          {({ items, next_before }) => (
            <>
              {items.length === 0 ? (
                <Empty {...(isEmpty ? { title: t().none, text: t().about } : { text: t().nothing })} />
              ) : (
                <AuditTable entries={items} names={names} href={href} labelledBy="audit" />
              )}
              <Pager next={next_before} trail={trail} />
            </>
          )}
        </Loading>
      </section>
    </Page>
  )
}
