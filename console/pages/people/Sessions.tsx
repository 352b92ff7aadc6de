import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { SessionTable } from "../../parts/SessionTable.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { methodTitle } from "./MethodWords.ts"
import { Refused } from "./Refusals.ts"
import type { User } from "./Words.ts"

const t = words({
  en: { title: "Active sessions", none: "The user is not signed in anywhere." },
  de: { title: "Aktive Anmeldungen", none: "Zurzeit nirgends angemeldet." }
})

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
            <SessionTable
              labelledBy="user-sessions"
              sessions={items}
              how={({ methods }) => methods.map(methodTitle).join(", ")}
              busy={doing.busy.value}
              end={end}
            />
          )
        }
      </Loading>
    </section>
  )
}
