import { useLocation } from "preact-iso"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { CustomerName } from "../../parts/CustomerName.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { Sure } from "../mail/Sure.tsx"
import { DnsStatusBadge, StatusBadge } from "./Badges.tsx"
import { Instructions } from "./Instructions.tsx"
import { LiveCheck } from "./LiveCheck.tsx"
import { Plans } from "./Plans.tsx"
import { providerName, useProviders, useTypes } from "./Providers.ts"
import { Proof } from "./Proof.tsx"
import { Records } from "./Records.tsx"
import { told } from "./Refusals.ts"
import type { Domain } from "./Shapes.ts"
import "./domains.css"

const t = words({
  en: {
    title: "Domain",
    back: "All domains",
    standing: "State of the domain",
    dns: "DNS",
    status: "Status",
    provider: "DNS provider",
    unknown: "not known",
    account: "Account that writes its zone",
    none: "none: records are written by hand",
    customer: "Customer",
    zone: "Zone",
    remove: "Delete",
    sure: "Really delete? Its zone stays as it is."
  },
  de: {
    title: "Domain",
    back: "Alle Domains",
    standing: "Stand der Domain",
    dns: "DNS",
    status: "Status",
    provider: "DNS-Anbieter",
    unknown: "unbekannt",
    account: "Konto, das ihre Zone schreibt",
    none: "keines: Einträge werden von Hand geschrieben",
    customer: "Kunde",
    zone: "Zone",
    remove: "Löschen",
    sure: "Wirklich löschen? Die Zone bleibt, wie sie ist."
  }
})

/** Page of one domain: its current DNS records, its required records, and the actions that change them. */
export default ({ id }: { readonly id: string }) => {
  const { route } = useLocation()
  const domain = useLoad(() => call("GET /api/v1/domains/:id", { params: { id: Number(id) } }), [id], {
    live: ["domain.*", "dns.*"]
  })
  const doing = useDoing()
  const remove = () =>
    void doing
      .run(() => call("DELETE /api/v1/domains/:id", { params: { id: Number(id) } }))
      .then((done) => done && route("/console/domains"))
  const shown = domain.value.value
  return (
    <Page
      title={shown?.display_name ?? t().title}
      actions={
        <>
          <a class="button" href="/console/domains">
            {t().back}
          </a>
          {may("domains.manage") && shown !== undefined ? (
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
            <Standing domain={found} changed={domain.reload} />
            <LiveCheck id={found.id} changed={domain.reload} />
            <Instructions id={found.id} version={found.updated_at} />
            {may("dns.read") ? <Records domain={found} /> : null}
            {may("dns.read") && found.dns_provider_id !== null && found.ownership.state === "proven" ? (
              <Plans id={found.id} />
            ) : null}
          </>
        )}
      </Loading>
    </Page>
  )
}

const Standing = ({ changed, domain }: { readonly domain: Domain; readonly changed: () => void }) => {
  const doing = useDoing()
  const types = useTypes()
  const providers = useProviders(domain.customer_id)
  const accounts = providers.value.value ?? []
  const choose = (value: string) =>
    void doing
      .run(() =>
        call("PUT /api/v1/domains/:id", {
          params: { id: domain.id },
          payload: { dns_provider_id: value === "" ? null : Number(value) }
        })
      )
      .then((done) => done && changed())
  return (
    <section class="card" aria-labelledby="standing">
      <h2 id="standing">{t().standing}</h2>
      <dl class="facts domain-facts">
        <dt>{t().dns}</dt>
        <dd>
          <DnsStatusBadge of={domain.dns_status} />
        </dd>
        <dt>{t().status}</dt>
        <dd>
          <StatusBadge of={domain.status} />
        </dd>
        <dt>{t().provider}</dt>
        <dd>
          {domain.detected_provider === null ? t().unknown : providerName(types.value.value, domain.detected_provider)}
        </dd>
        {domain.zone === null ? null : (
          <>
            <dt>{t().zone}</dt>
            <dd>
              <code>{domain.zone}</code>
            </dd>
          </>
        )}
        <dt>{t().customer}</dt>
        <dd>
          <CustomerName id={domain.customer_id} />
        </dd>
        {may("dns.read") ? (
          <>
            <dt id="zone-account">{t().account}</dt>
            <dd>
              {may("domains.manage") && accounts.length > 0 ? (
                <select
                  aria-labelledby="zone-account"
                  value={domain.dns_provider_id ?? ""}
                  disabled={doing.busy.value}
                  onChange={({ currentTarget }) => choose(currentTarget.value)}
                >
                  <option value="">{t().none}</option>
                  {accounts.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              ) : (
                (accounts.find(({ id }) => id === domain.dns_provider_id)?.name ?? t().none)
              )}
            </dd>
          </>
        ) : null}
      </dl>
      {doing.problem.value === undefined ? null : (
        <div class="trouble" role="alert">
          <p>{told(doing.problem.value)}</p>
        </div>
      )}
    </section>
  )
}
