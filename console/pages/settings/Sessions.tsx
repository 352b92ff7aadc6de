import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import type { Loaded } from "../../lib/Load.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { Badge } from "../../parts/Badge.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { browserName } from "./BrowserName.ts"
import { Outcome } from "./Outcome.tsx"
import { useDeed } from "./useDeed.ts"
import { At } from "../../parts/When.tsx"

export type SessionPage = Answer<"GET /api/v1/auth/sessions">

const t = words({
  en: {
    title: "Signed in",
    where: "Where",
    since: "Since",
    used: "Last used",
    here: "here",
    end: "End",
    endThis: (where: string) => `End the sign-in ${where}`,
    others: "End all others",
    unknown: "unknown"
  },
  de: {
    title: "Angemeldet",
    where: "Wo",
    since: "Seit",
    used: "Zuletzt benutzt",
    here: "hier",
    end: "Beenden",
    endThis: (where: string) => `Anmeldung beenden: ${where}`,
    others: "Alle anderen beenden",
    unknown: "unbekannt"
  }
})

/** The user's sessions, with buttons to end them. */
export const Sessions = ({ sessions }: { readonly sessions: Loaded<SessionPage> }) => {
  const deed = useDeed()
  const end = async (work: () => Promise<unknown>) => {
    await deed.run(work)
    sessions.reload()
  }
  return (
    <section class="card" aria-labelledby="sessions">
      <div class="card-head">
        <h2 id="sessions">{t().title}</h2>
        {(sessions.value.value?.items.length ?? 0) < 2 ? null : (
          <button
            type="button"
            class="small"
            disabled={deed.busy.value}
            onClick={() => void end(() => call("DELETE /api/v1/auth/sessions"))}
          >
            {t().others}
          </button>
        )}
      </div>
      <Outcome of={deed} />
      <Loading of={sessions}>
        {({ items }) => (
          <div class="scroll" tabIndex={0} role="region" aria-labelledby="sessions">
            <table>
              <thead>
                <tr>
                  <th scope="col">{t().where}</th>
                  <th scope="col">{t().since}</th>
                  <th scope="col">{t().used}</th>
                  <td />
                </tr>
              </thead>
              <tbody>
                {items.map(({ address, created_at, current, id, last_used_at, user_agent }) => {
                  const where = [user_agent === null ? t().unknown : browserName(user_agent), address]
                    .filter((one) => one !== null)
                    .join(", ")
                  return (
                    <tr key={id}>
                      <td>
                        {where} {current ? <Badge tone="success">{t().here}</Badge> : null}
                      </td>
                      <td>
                        <At at={created_at} />
                      </td>
                      <td>
                        <At at={last_used_at} />
                      </td>
                      <td class="number">
                        {current ? null : (
                          <button
                            type="button"
                            class="small danger"
                            disabled={deed.busy.value}
                            aria-label={t().endThis(where)}
                            onClick={() => void end(() => call("DELETE /api/v1/auth/sessions/:id", { params: { id } }))}
                          >
                            {t().end}
                          </button>
                        )}
                      </td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        )}
      </Loading>
    </section>
  )
}
