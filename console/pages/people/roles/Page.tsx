import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Loading } from "../../../parts/Loading.tsx"
import { grouped, permissionTitle } from "../PermissionWords.ts"
import { PeoplePage } from "../PeoplePage.tsx"
import { rolePurpose, roleTitle } from "../Words.ts"
import "./roles.css"

const t = words({
  en: {
    about: "A role is a fixed set of permissions. It counts inside the user's own tenant.",
    who: (role: string) => `Show the users: ${role}`,
    show: "Show the users",
    permissions: (count: number) => `${count} permissions`
  },
  de: {
    about: "Eine Rolle ist eine feste Menge von Berechtigungen. Sie gilt im Mandanten der Person.",
    who: (role: string) => `Benutzer zeigen: ${role}`,
    show: "Benutzer zeigen",
    permissions: (count: number) => `${count} Berechtigungen`
  }
})

/** The roles with their permissions in words. */
export default () => {
  const found = useLoad(() => call("GET /api/v1/roles"))
  return (
    <PeoplePage section="roles">
      <p class="soft">{t().about}</p>
      <Loading of={found}>
        {({ items }) =>
          items.map(({ permissions, role }) => (
            <section key={role} class="card" aria-labelledby={`role-${role}`}>
              <div class="card-head">
                <h2 id={`role-${role}`}>{roleTitle(role)}</h2>
                <a href={`/console/users?role=${role}`} aria-label={t().who(roleTitle(role))}>
                  {t().show}
                </a>
              </div>
              <p>{rolePurpose(role)}</p>
              <details>
                <summary>{t().permissions(permissions.length)}</summary>
                <dl class="permissions">
                  {grouped(permissions).map(([name, title, own]) => (
                    <div key={name}>
                      <dt>{title}</dt>
                      {own.map((one) => (
                        <dd key={one} title={one}>
                          {permissionTitle(one)}
                        </dd>
                      ))}
                    </div>
                  ))}
                </dl>
              </details>
            </section>
          ))
        }
      </Loading>
    </PeoplePage>
  )
}
