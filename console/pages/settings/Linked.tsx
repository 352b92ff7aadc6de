import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { useDoing } from "../../lib/Doing.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import type { Problem } from "../../lib/Problem.ts"
import { Badge } from "../../parts/Badge.tsx"
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { At } from "../../parts/When.tsx"
import { Outcome } from "./Outcome.tsx"

type Linked = Answer<"GET /api/v1/auth/linked">["items"][number]

const t = words({
  en: {
    title: "Linked sign-ins",
    about: "Sign in here with an account that you have elsewhere, without a password of this one.",
    none: "None is linked yet.",
    nothing: "This installation offers no sign-in with an account from elsewhere.",
    gone: "no longer offered",
    since: "Linked",
    used: "last used",
    link: (title: string) => `Link ${title}`,
    away: "does not answer",
    unlink: "Unlink",
    unlinkThis: (title: string) => `Unlink ${title}`,
    loses: "You can no longer sign in with it. Your account there stays as it is, and it can be linked again.",
    lastWayIn: "This is your only way to sign in. Set a password first."
  },
  de: {
    title: "Verknüpfte Anmeldungen",
    about: "Melden Sie sich hier mit einem Konto an, das Sie anderswo haben, ohne ein Passwort von hier.",
    none: "Noch keine verknüpft.",
    nothing: "Diese Installation bietet keine Anmeldung mit einem anderen Konto an.",
    gone: "nicht mehr angeboten",
    since: "Verknüpft",
    used: "zuletzt benutzt",
    link: (title: string) => `${title} verknüpfen`,
    away: "antwortet nicht",
    unlink: "Trennen",
    unlinkThis: (title: string) => `${title} trennen`,
    loses:
      "Sie können sich damit nicht mehr anmelden. Ihr Konto dort bleibt, wie es ist, und lässt sich wieder verknüpfen.",
    lastWayIn: "Das ist Ihr einziger Weg zur Anmeldung. Legen Sie zuerst ein Passwort fest."
  }
})

const told = (problem: Problem): string => (problem.code === "last_way_in" ? t().lastWayIn : problem.message)

/** Accounts elsewhere with which the user signs in: lists, links and unlinks them. */
export const LinkedSignIns = () => {
  const doing = useDoing()
  const all = useLoad(async () => {
    const [linked, providers] = await Promise.all([call("GET /api/v1/auth/linked"), call("GET /api/v1/auth/providers")])
    return { linked: linked.items, providers: providers.items }
  })
  const removing = useSignal<Linked | undefined>(undefined)
  const link = (provider: string) =>
    void doing.run(async () => {
      const { url } = await call("POST /api/v1/auth/linked/:provider", {
        params: { provider },
        payload: { return_to: "/console/settings" }
      })
      location.assign(url)
    })
  return (
    <section class="card" aria-labelledby="linked">
      <h2 id="linked">{t().title}</h2>
      {removing.value === undefined || removing.value.provider === null ? null : (
        <ConfirmDialog
          title={t().unlinkThis(removing.value.title)}
          action={t().unlink}
          told={told}
          close={() => (removing.value = undefined)}
          work={async () => {
            await call("DELETE /api/v1/auth/linked/:provider", { params: { provider: removing.value!.provider! } })
            all.reload()
          }}
        >
          <p>{t().loses}</p>
        </ConfirmDialog>
      )}
      <Loading of={all}>
        {({ linked, providers }) => {
          const open = providers.filter(({ id }) => !linked.some(({ provider }) => provider === id))
          return (
            <>
              <p class="hint">{providers.length === 0 && linked.length === 0 ? t().nothing : t().about}</p>
              {linked.length === 0 ? (
                providers.length === 0 ? null : (
                  <p class="hint">{t().none}</p>
                )
              ) : (
                <ul class="plain-rows">
                  {linked.map((one) => (
                    <li key={`${one.provider} ${one.title} ${one.linked_at}`}>
                      <span>
                        {one.title} {one.email} {one.provider === null ? <Badge tone="quiet">{t().gone}</Badge> : null}
                        <br />
                        <small>
                          {t().since} <At at={one.linked_at} />
                          {one.last_used_at === null ? null : (
                            <>
                              , {t().used} <At at={one.last_used_at} />
                            </>
                          )}
                        </small>
                      </span>
                      {one.provider === null ? null : (
                        <button
                          type="button"
                          class="small danger"
                          aria-label={t().unlinkThis(one.title)}
                          onClick={() => (removing.value = one)}
                        >
                          {t().unlink}
                        </button>
                      )}
                    </li>
                  ))}
                </ul>
              )}
              <Outcome of={doing} />
              {open.length === 0 ? null : (
                <p class="page-actions">
                  {open.map(({ available, id, title }) => (
                    <button key={id} type="button" disabled={!available || doing.busy.value} onClick={() => link(id)}>
                      {t().link(title)}
                      {available ? "" : ` (${t().away})`}
                    </button>
                  ))}
                </p>
              )}
            </>
          )
        }}
      </Loading>
    </section>
  )
}
