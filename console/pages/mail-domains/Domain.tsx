import { useLocation } from "preact-iso"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { undoable } from "../../lib/Undo.ts"
import { Sure } from "../mail/Sure.tsx"
import { List } from "../telephony/List.tsx"
import { told } from "../telephony/Refusals.ts"
import { AppPasswords, mailboxOf } from "./AppPasswords.tsx"
import { Dns } from "./Dns.tsx"
import { aliasesOf, mailboxesOf, mailDomainWords } from "./Kinds.tsx"
import { Proof } from "./Proof.tsx"

const t = words({
  en: {
    title: "Mail domain",
    back: "All mail domains",
    remove: "Delete",
    sure: "Really delete, with all its mailboxes?",
    suspend: "Suspend",
    unsuspend: "Let in again",
    suspended: (address: string) => `${address} is suspended.`,
    unsuspended: (address: string) => `${address} is in use again.`,
    later: "Mailboxes and aliases can be added once the domain is proven."
  },
  de: {
    title: "Mail-Domain",
    back: "Alle Mail-Domains",
    remove: "Löschen",
    sure: "Wirklich mit allen Postfächern löschen?",
    suspend: "Sperren",
    unsuspend: "Entsperren",
    suspended: (address: string) => `${address} ist gesperrt.`,
    unsuspended: (address: string) => `${address} ist wieder in Betrieb.`,
    later: "Postfächer und Aliasse kommen dazu, sobald die Domain nachgewiesen ist."
  }
})

/** One mail domain: proof of its ownership, DNS records, keys, mailboxes and aliases. */
export default ({ id }: { readonly id: string }) => {
  const { route } = useLocation()
  const domain = useLoad(() => call("GET /api/v1/mail/domains/:id", { params: { id: Number(id) } }), [id], {
    live: ["mail.domain.*"]
  })
  const doing = useDoing()
  const remove = () =>
    void doing
      .run(() => call("DELETE /api/v1/mail/domains/:id", { params: { id: Number(id) }, query: { force: "true" } }))
      .then((done) => done && route("/console/mail-domains"))
  return (
    <Page
      title={domain.value.value?.domain ?? t().title}
      actions={
        <>
          <a class="button" href="/console/mail-domains">
            {t().back}
          </a>
          {may("mail.manage") && domain.value.value !== undefined ? (
            <Sure sure={t().sure} disabled={doing.busy.value} onSure={remove}>
              {t().remove}
            </Sure>
          ) : null}
        </>
      }
    >
      {doing.problem.value === undefined ? null : (
        <div class="trouble" role="alert">
          <p>{told(doing.problem.value)}</p>
        </div>
      )}
      <Loading of={domain}>
        {(found) => (
          <>
            {found.ownership.challenge === null ? null : (
              <Proof domain={found} challenge={found.ownership.challenge} changed={domain.reload} />
            )}
            {found.ownership.state === "proven" ? (
              <>
                <Mailboxes domainId={found.id} />
                <section class="card" aria-labelledby="aliases">
                  <h2 id="aliases">{mailDomainWords().aliases}</h2>
                  <List of={aliasesOf(found.id, found.domain)} />
                </section>
              </>
            ) : (
              <p class="empty">{t().later}</p>
            )}
            <Dns domain={found} changed={domain.reload} />
          </>
        )}
      </Loading>
    </Page>
  )
}

const suspend = (id: number, suspended: boolean) =>
  suspended
    ? call("POST /api/v1/mail/accounts/:id/suspend", { params: { id } })
    : call("POST /api/v1/mail/accounts/:id/unsuspend", { params: { id } })

const Mailboxes = ({ domainId }: { readonly domainId: number }) => {
  const doing = useDoing()
  return (
    <section class="card" aria-labelledby="mailboxes">
      <h2 id="mailboxes">{mailDomainWords().mailboxes}</h2>
      {doing.problem.value === undefined ? null : (
        <div class="trouble" role="alert">
          <p>{told(doing.problem.value)}</p>
        </div>
      )}
      <List
        of={mailboxesOf(domainId)}
        actions={({ address, id, state }, reload) => (
          <>
            <AppPasswords of={mailboxOf(id, address)} />
            {may("mail.manage") ? (
              <button
                type="button"
                class="small"
                disabled={doing.busy.value}
                onClick={() =>
                  void doing
                    .run(() =>
                      undoable(
                        () => suspend(id, state === "active"),
                        () => (state === "active" ? t().suspended(address) : t().unsuspended(address)),
                        () => suspend(id, state !== "active")
                      )
                    )
                    .then((done) => done && reload())
                }
              >
                {state === "active" ? t().suspend : t().unsuspend}
                <span class="sr">: {address}</span>
              </button>
            ) : null}
          </>
        )}
      />
    </section>
  )
}
