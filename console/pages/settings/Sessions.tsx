import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import type { Loaded } from "../../lib/Load.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { Loading } from "../../parts/Loading.tsx"
import { SessionTable } from "../../parts/SessionTable.tsx"
import { Outcome } from "./Outcome.tsx"
import { useDoing } from "../../lib/Doing.ts"

export type SessionPage = Answer<"GET /api/v1/auth/sessions">

const t = words({
  en: { title: "Active sessions", others: "End all others" },
  de: { title: "Aktive Anmeldungen", others: "Alle anderen beenden" }
})

/** The user's sessions, with buttons to end them. */
export const Sessions = ({ sessions }: { readonly sessions: Loaded<SessionPage> }) => {
  const doing = useDoing()
  const end = async (work: () => Promise<unknown>) => {
    await doing.run(work)
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
            disabled={doing.busy.value}
            onClick={() => void end(() => call("DELETE /api/v1/auth/sessions"))}
          >
            {t().others}
          </button>
        )}
      </div>
      <Outcome of={doing} />
      <Loading of={sessions}>
        {({ items }) => (
          <SessionTable
            labelledBy="sessions"
            sessions={items}
            busy={doing.busy.value}
            end={(id) => void end(() => call("DELETE /api/v1/auth/sessions/:id", { params: { id } }))}
          />
        )}
      </Loading>
    </section>
  )
}
