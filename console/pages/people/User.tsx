import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../lib/Call.ts"
import { offered, words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may, me, reload } from "../../lib/Me.ts"
import { Loading } from "../../parts/Loading.tsx"
import { RowMenu } from "../../parts/RowMenu.tsx"
import { At } from "../../parts/When.tsx"
import { PasswordForm } from "./PasswordForm.tsx"
import { PeoplePage, usersHref } from "./PeoplePage.tsx"
import { UserSessions } from "./Sessions.tsx"
import { useUserActions } from "./UserActions.tsx"
import { UserForm } from "./UserForm.tsx"
import { StateBadge } from "./UserTable.tsx"
import { roleTitle, shared } from "./Words.ts"

const t = words({
  en: {
    account: "Account",
    asDevice: "as the device",
    did: "What this user did",
    history: "Changes of this account",
    own: "This is your own account. Your password, second factors and sessions are in the settings.",
    settings: "Settings"
  },
  de: {
    account: "Konto",
    asDevice: "wie das Gerät",
    did: "Was diese Person getan hat",
    history: "Änderungen an diesem Konto",
    own: "Das ist Ihr eigenes Konto. Passwort, zweite Faktoren und Anmeldungen stehen in den Einstellungen.",
    settings: "Einstellungen"
  }
})

/** Page of one user: account, actions, sessions. */
export default ({ id }: { readonly id: string }) => {
  const { query, route } = useLocation()
  const tenant = query["tenant"]
  const isEditing = useSignal(false)
  const found = useLoad(
    () => call("GET /api/v1/users/:id", { params: { id }, query: { tenant_id: tenant } }),
    [id, tenant]
  )
  const user = found.value.value
  const search = tenant === undefined ? "" : `&tenant=${tenant}`
  /** Increases after each change, so that the sessions load again. */
  const turn = useSignal(0)
  const actions = useUserActions({
    tenant,
    changed: () => {
      found.reload()
      turn.value++
    },
    removed: () => route(usersHref(tenant))
  })
  const isOwn = user !== undefined && user.id === me.value?.id
  return (
    <PeoplePage
      section="users"
      tenant={tenant}
      title={user?.name ?? shared().user}
      actions={
        <>
          {user !== undefined && may("users.manage") && !isEditing.value ? (
            <button type="button" class="primary" onClick={() => (isEditing.value = true)}>
              {shared().change}
            </button>
          ) : null}
          {user === undefined ? null : <RowMenu of={user.name} actions={actions.of(user)} />}
        </>
      }
    >
      {actions.shown}
      <Loading of={found}>
        {(user) => (
          <>
            {isEditing.value ? (
              <UserForm
                user={user}
                tenant={tenant}
                shut={() => (isEditing.value = false)}
                saved={() => {
                  isEditing.value = false
                  found.reload()
                  turn.value++
                  if (isOwn) reload()
                }}
              />
            ) : null}
            <section class="card" aria-labelledby="account">
              <h2 id="account">{t().account}</h2>
              <dl class="facts">
                <dt>{shared().email}</dt>
                <dd>{user.email}</dd>
                <dt>{shared().role}</dt>
                <dd>{roleTitle(user.role)}</dd>
                <dt>{shared().state}</dt>
                <dd>
                  <StateBadge state={user.state} />
                </dd>
                <dt>{shared().language}</dt>
                <dd>{offered.value.find(({ code }) => code === user.locale)?.label ?? user.locale}</dd>
                <dt>{shared().timeZone}</dt>
                <dd>{user.time_zone?.replaceAll("_", " ") ?? t().asDevice}</dd>
                <dt>{shared().created}</dt>
                <dd>
                  <At at={user.created_at} />
                </dd>
                <dt>{shared().lastSignIn}</dt>
                <dd>{user.last_login_at === null ? shared().never : <At at={user.last_login_at} />}</dd>
              </dl>
              {may("audit.read") ? (
                <p class="page-actions">
                  <a href={`/console/audit?actor=user:${user.id}${search}`}>{t().did}</a>
                  <a href={`/console/audit?entity_type=user&entity_id=${user.id}${search}`}>{t().history}</a>
                </p>
              ) : null}
              {isOwn ? (
                <p>
                  {t().own} <a href="/console/settings">{t().settings}</a>
                </p>
              ) : null}
            </section>
            {may("users.manage") && !isOwn ? (
              <>
                <UserSessions user={user} tenant={tenant} turn={turn.value} />
                <PasswordForm user={user} tenant={tenant} changed={() => turn.value++} />
              </>
            ) : null}
          </>
        )}
      </Loading>
    </PeoplePage>
  )
}
