import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { At } from "../../parts/When.tsx"
import { useDoing } from "../mail/Doing.ts"
import { browserName } from "../settings/BrowserName.ts"
import { Refused } from "./Refused.tsx"
import type { User } from "./Words.ts"

const t = words({
  en: {
    title: "Signed in",
    where: "Where",
    since: "Since",
    used: "Last used",
    how: "How",
    end: "End",
    endThis: (where: string) => `End the session: ${where}`,
    unknown: "unknown",
    none: "The user is signed in nowhere.",
    password: "password",
    totp: "authenticator app",
    messenger: "messenger",
    recovery_code: "recovery code",
    link: "link",
    oidc: (provider: string) => `via ${provider}`
  },
  de: {
    title: "Angemeldet",
    where: "Wo",
    since: "Seit",
    used: "Zuletzt benutzt",
    how: "Womit",
    end: "Beenden",
    endThis: (where: string) => `Anmeldung beenden: ${where}`,
    unknown: "unbekannt",
    none: "Zurzeit nirgends angemeldet.",
    password: "Passwort",
    totp: "Authentifizierungs-App",
    messenger: "Messenger",
    recovery_code: "Wiederherstellungscode",
    link: "Link",
    oidc: (provider: string) => `über ${provider}`
  }
})

/** A way of authentication in words; unknown ones stay as the server names them. */
const methodTitle = (method: string): string => {
  const [kind, rest = ""] = method.split(":", 2)
  switch (kind) {
    case "password":
    case "totp":
    case "messenger":
    case "recovery_code":
    case "link":
      return t()[kind]
    case "oidc":
      return t().oidc(rest)
    default:
      return method
  }
}

/** Active sessions of another user, with buttons to end them. `turn`: a change loads them again. */
export const UserSessions = ({
  tenant,
  turn,
  user
}: {
  readonly user: User
  readonly tenant: string | undefined
  readonly turn: number
}) => {
  const doing = useDoing()
  const found = useLoad(
    () => call("GET /api/v1/users/:id/sessions", { params: { id: user.id }, query: { tenant_id: tenant } }),
    [user.id, tenant, turn]
  )
  const end = (session: string) =>
    void doing
      .run(() =>
        call("DELETE /api/v1/users/:id/sessions/:session", {
          params: { id: user.id, session },
          query: { tenant_id: tenant }
        })
      )
      .then(found.reload)
  return (
    <section class="card" aria-labelledby="user-sessions">
      <h2 id="user-sessions">{t().title}</h2>
      <Refused problem={doing.problem.value} />
      <Loading of={found}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">{t().none}</p>
          ) : (
            <div class="scroll" tabIndex={0} role="region" aria-labelledby="user-sessions">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{t().where}</th>
                    <th scope="col">{t().how}</th>
                    <th scope="col">{t().since}</th>
                    <th scope="col">{t().used}</th>
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ address, created_at, id, last_used_at, methods, user_agent }) => {
                    const where = [user_agent === null ? t().unknown : browserName(user_agent), address]
                      .filter((one) => one !== null)
                      .join(", ")
                    return (
                      <tr key={id}>
                        <td>{where}</td>
                        <td>{methods.map(methodTitle).join(", ")}</td>
                        <td>
                          <At at={created_at} />
                        </td>
                        <td>
                          <At at={last_used_at} />
                        </td>
                        <td class="number">
                          <button
                            type="button"
                            class="small"
                            disabled={doing.busy.value}
                            aria-label={t().endThis(where)}
                            onClick={() => end(id)}
                          >
                            {t().end}
                          </button>
                        </td>
                      </tr>
                    )
                  })}
                </tbody>
              </table>
            </div>
          )
        }
      </Loading>
    </section>
  )
}
