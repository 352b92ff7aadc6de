import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may, me } from "../../lib/Me.ts"
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx"
import { Empty } from "../../parts/Empty.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { type RowAction, RowMenu } from "../../parts/RowMenu.tsx"
import { At } from "../../parts/When.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { Refused, told } from "../people/Refusals.ts"
import { StateBadge } from "../people/UserTable.tsx"
import { shared } from "../people/Words.ts"
import { type Tenant, TenantForm } from "./TenantForm.tsx"

const t = words({
  en: {
    title: "Tenants",
    add: "Add a tenant",
    list: "All tenants",
    about: "A tenant is a group of users who share their data. Tenants do not see each other.",
    own: "yours",
    id: "Number",
    rename: "Rename",
    users: "Show the users",
    audit: "Audit log",
    suspendThis: (name: string) => `Suspend ${name}`,
    suspendLoses:
      "All users of the tenant are signed out within a second, and none of them can sign in again: neither here nor " +
      "with mail programs. Nothing is deleted; you can restore the tenant at any time."
  },
  de: {
    title: "Mandanten",
    add: "Mandanten anlegen",
    list: "Alle Mandanten",
    about: "Ein Mandant ist eine Gruppe von Benutzern mit gemeinsamen Daten. Mandanten sehen einander nicht.",
    own: "Ihr eigener",
    id: "Nummer",
    rename: "Umbenennen",
    users: "Benutzer zeigen",
    audit: "Protokoll",
    suspendThis: (name: string) => `${name} sperren`,
    suspendLoses:
      "Alle Benutzer des Mandanten werden binnen einer Sekunde abgemeldet und können sich nicht mehr anmelden, " +
      "weder hier noch mit Mailprogrammen. Nichts wird gelöscht; Sie können die Sperre jederzeit aufheben."
  }
})

/** Tenants per page. */
const pageSize = 50

/** Tenants of the installation: add, rename, suspend, and links to their users. */
export default () => {
  const trail = useTrail([])
  const before = trail.value.at(-1)
  const found = useLoad(() => call("GET /api/v1/tenants", { query: { limit: pageSize, before } }), [before])
  const form = useSignal<{ readonly tenant: Tenant | undefined } | undefined>(undefined)
  const suspending = useSignal<Tenant | undefined>(undefined)
  const doing = useDoing()
  const own = me.value?.tenant_id
  const actionsOf = (tenant: Tenant): ReadonlyArray<RowAction> => {
    const search = tenant.id === own ? "" : `?tenant=${tenant.id}`
    return [
      ...(may("users.read") ? [{ text: t().users, act: `/console/users${search}` }] : []),
      ...(may("audit.read") ? [{ text: t().audit, act: `/console/audit${search}` }] : []),
      ...(may("tenants.manage")
        ? [
            { text: t().rename, act: () => (form.value = { tenant }) },
            ...(tenant.id === own
              ? []
              : [
                  tenant.state === "active"
                    ? { text: shared().suspend, danger: true, act: () => (suspending.value = tenant) }
                    : {
                        text: shared().restore,
                        act: () =>
                          void doing
                            .run(() => call("POST /api/v1/tenants/:id/unsuspend", { params: { id: tenant.id } }))
                            .then((done) => done && found.reload())
                      }
                ])
          ]
        : [])
    ]
  }
  return (
    <Page
      title={t().title}
      actions={
        may("tenants.manage") && form.value === undefined ? (
          <button type="button" class="primary" onClick={() => (form.value = { tenant: undefined })}>
            {t().add}
          </button>
        ) : undefined
      }
    >
      <Refused problem={doing.problem.value} />
      {suspending.value === undefined ? null : (
        <ConfirmDialog
          title={t().suspendThis(suspending.value.name)}
          action={shared().suspend}
          told={told}
          work={async () => {
            await call("POST /api/v1/tenants/:id/suspend", { params: { id: suspending.value!.id } })
            found.reload()
          }}
          close={() => (suspending.value = undefined)}
        >
          <p>{t().suspendLoses}</p>
        </ConfirmDialog>
      )}
      {form.value === undefined ? null : (
        <TenantForm
          key={form.value.tenant?.id}
          tenant={form.value.tenant}
          shut={() => (form.value = undefined)}
          saved={() => {
            form.value = undefined
            found.reload()
          }}
        />
      )}
      <section class="card" aria-labelledby="tenants">
        <h2 id="tenants">{t().list}</h2>
        <p class="soft">{t().about}</p>
        <Loading of={found}>
          {({ items, next_before }) => (
            <>
              {items.length === 0 ? (
                <Empty text={t().about} />
              ) : (
                <div class="scroll" tabIndex={0} role="region" aria-labelledby="tenants">
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">{shared().name}</th>
                        <th scope="col">{t().id}</th>
                        <th scope="col">{shared().state}</th>
                        <th scope="col">{shared().created}</th>
                        <td />
                      </tr>
                    </thead>
                    <tbody>
                      {items.map((tenant) => (
                        <tr key={tenant.id}>
                          <th scope="row">
                            {may("users.read") ? (
                              <a href={`/console/users${tenant.id === own ? "" : `?tenant=${tenant.id}`}`}>
                                {tenant.name}
                              </a>
                            ) : (
                              tenant.name
                            )}
                            {tenant.id === own ? <small class="soft"> ({t().own})</small> : null}
                          </th>
                          <td>{tenant.id}</td>
                          <td>
                            <StateBadge state={tenant.state} />
                          </td>
                          <td>
                            <At at={tenant.created_at} />
                          </td>
                          <td class="number">
                            <RowMenu of={tenant.name} actions={actionsOf(tenant)} />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
              <Pager next={next_before} trail={trail} />
            </>
          )}
        </Loading>
      </section>
    </Page>
  )
}
