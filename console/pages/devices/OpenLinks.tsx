import { call } from "../../lib/Call.ts"
import { shortMoment } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may, me } from "../../lib/Me.ts"
import { Loading } from "../../parts/Loading.tsx"
import { useDoing } from "../../lib/Doing.ts"
import type { Person } from "./People.ts"
import { Refused } from "./Words.ts"

const t = words({
  en: {
    title: "Links that wait for use",
    none: "No link waits for use.",
    link: "Link",
    for: "For",
    until: "Valid until",
    actions: "Actions",
    revoke: "Revoke"
  },
  de: {
    title: "Links, die auf ihre Benutzung warten",
    none: "Kein Link wartet auf seine Benutzung.",
    link: "Link",
    for: "Für",
    until: "Gültig bis",
    actions: "Aktionen",
    revoke: "Widerrufen"
  }
})

/** Table of unused links, with a button to revoke each. It does not show their addresses, which are shown only once. */
export const OpenLinks = ({ people }: { readonly people: ReadonlyMap<number, Person> }) => {
  const links = useLoad(
    () => call("GET /api/v1/provisioning/client-tokens", { query: { state: "unused", limit: 200 } }),
    [],
    { live: ["provisioning.token.*", "provisioning.completed"] }
  )
  const doing = useDoing()
  const revoke = (id: number) =>
    void doing
      .run(() => call("DELETE /api/v1/provisioning/client-tokens/:id", { params: { id } }))
      .then(() => links.reload())
  const nameOf = (id: number): string =>
    id === me.value?.id ? (me.value.name ?? String(id)) : (people.get(id)?.name ?? String(id))
  return (
    <section aria-labelledby="open-links">
      <h2 id="open-links">{t().title}</h2>
      <Refused problem={doing.problem.value} />
      <Loading of={links}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">{t().none}</p>
          ) : (
            <div class="scroll" role="region" aria-label={t().title} tabIndex={0}>
              <table class="device-table">
                <caption class="sr">{t().title}</caption>
                <thead>
                  <tr>
                    <th scope="col">{t().link}</th>
                    <th scope="col">{t().for}</th>
                    <th scope="col">{t().until}</th>
                    <th scope="col">{t().actions}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ expires_at, id, label, prefix, user_id }) => (
                    <tr key={id}>
                      <th scope="row">
                        <code>{prefix}…</code>
                        {label === null ? null : <small>{label}</small>}
                      </th>
                      <td>{nameOf(user_id)}</td>
                      <td>
                        <time dateTime={expires_at}>{shortMoment(expires_at)}</time>
                      </td>
                      <td>
                        {may("provisioning.client_tokens.create") ? (
                          <button
                            type="button"
                            class="small danger"
                            disabled={doing.busy.value}
                            onClick={() => revoke(id)}
                          >
                            {t().revoke}
                            <span class="sr">: {prefix}</span>
                          </button>
                        ) : null}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loading>
    </section>
  )
}
