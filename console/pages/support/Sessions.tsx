import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { useLoad } from "../../lib/Load.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { Outcome } from "../settings/Outcome.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { useFilterable } from "../../parts/Filterable.ts"
import { supportWords as t } from "./Words.ts"
import { At } from "../../parts/When.tsx"

type Session = Answer<"GET /api/v1/support/sessions/:code">

/** Reload interval. Unit: milliseconds. Reason: no event tells that a request has ended. */
const every = 30_000

const tones: Readonly<Record<Session["state"], Tone>> = { open: "success", expired: "quiet", closed: "quiet" }

/** Requests of the tenant's users, for staff; a code finds its request. */
export const Sessions = () => {
  const all = useSignal(false)
  const trail = useTrail([all.value])
  const before = trail.value.at(-1)
  const list = useLoad(
    () => call("GET /api/v1/support/sessions", { query: { state: all.value ? "all" : "open", limit: 50, before } }),
    [all.value, before],
    { live: ["support.*"], every }
  )
  const doing = useDoing()
  const typed = useSignal("")
  const found = useSignal<Session | undefined>(undefined)
  const filterable = useFilterable(list, all.value || before !== undefined, () =>
    call("GET /api/v1/support/sessions", { query: { state: "all", limit: 1 } })
  )
  const unknown = doing.problem.value?.status === 404

  const look = async (event: Event) => {
    event.preventDefault()
    found.value = undefined
    await doing.run(async () => {
      found.value = await call("GET /api/v1/support/sessions/:code", { params: { code: typed.value } })
    })
  }
  const close = async (code: string) => {
    await doing.run(async () => {
      const closed = await call("POST /api/v1/support/sessions/:code/close", { params: { code } })
      if (found.value?.id === closed.id) found.value = closed
    })
    list.reload()
  }
  const table = (sessions: ReadonlyArray<Session>) => (
    <div class="scroll" tabIndex={0} role="region" aria-labelledby="support-sessions">
      <table>
        <thead>
          <tr>
            <th scope="col">{t().anyCode}</th>
            <th scope="col">{t().user}</th>
            <th scope="col">{t().channel}</th>
            <th scope="col">{t().about}</th>
            <th scope="col">{t().created}</th>
            <th scope="col">{t().state}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id}>
              <td>
                <code>{session.session_code}</code>
              </td>
              <td>
                {session.user.name ?? t().nameless(session.user.id)}
                {session.user.email === null ? null : <span class="soft"> {session.user.email}</span>}
              </td>
              <td>{t().channels[session.channel]}</td>
              <td>{session.message ?? ""}</td>
              <td>
                <At at={session.created_at} />
              </td>
              <td>
                <Badge tone={tones[session.state]}>{t().states[session.state]}</Badge>
              </td>
              <td class="number">
                {session.state === "open" ? (
                  <button
                    type="button"
                    class="small"
                    disabled={doing.busy.value}
                    aria-label={t().closeThis(session.session_code)}
                    onClick={() => void close(session.session_code)}
                  >
                    {t().close}
                  </button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
  return (
    <section class="card" aria-labelledby="support-sessions">
      <h2 id="support-sessions">{t().sessions}</h2>
      <form class="filters" onSubmit={(event) => void look(event)}>
        <label>
          {t().find}
          <input
            inputMode="numeric"
            autoComplete="off"
            required
            value={typed.value}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={doing.busy.value}>
          {t().look}
        </button>
      </form>
      {unknown ? (
        <div class="trouble" role="alert">
          <p>{t().unknown}</p>
        </div>
      ) : (
        <Outcome of={doing} />
      )}
      {found.value === undefined ? null : <div class="inset">{table([found.value])}</div>}
      {filterable ? (
        <div class="filters">
          <label class="check">
            <input
              type="checkbox"
              checked={all.value}
              onChange={({ currentTarget }) => (all.value = currentTarget.checked)}
            />
            {t().all}
          </label>
        </div>
      ) : null}
      <Loading of={list}>
        {({ items, next_before }) => (
          <>
            {items.length === 0 ? <p class="empty">{t().none}</p> : table(items)}
            <Pager next={next_before} trail={trail} />
          </>
        )}
      </Loading>
    </section>
  )
}
