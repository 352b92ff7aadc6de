import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { useFilterable } from "../../parts/Filterable.ts"
import { useFilters } from "../../parts/Address.ts"
import { Badge } from "../../parts/Badge.tsx"
import { CustomerName } from "../../parts/CustomerName.tsx"
import { CustomerPicker } from "../../parts/CustomerPicker.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { useNow } from "../../parts/Now.ts"
import { Page } from "../../parts/Page.tsx"
import { Pager, useTrail } from "../../parts/Pager.tsx"
import { When } from "../../parts/When.tsx"
import { AddDomain } from "./AddDomain.tsx"
import { DnsStatusBadge } from "./Badges.tsx"
import type { Domain } from "./Shapes.ts"
import "./domains.css"

const t = words({
  en: {
    title: "Domains",
    add: "Add a domain",
    unproven: "waits for proof",
    accounts: "DNS accounts",
    caption: "Domains, newest first",
    name: "Domain",
    dns: "DNS",
    provider: "DNS provider",
    customer: "Customer",
    seen: "Last change",
    none: "No domain yet. Add a domain: its DNS is then checked all the time, and its records are written where an account allows it.",
    noneOf: "No domain of this customer.",
    never: "not checked yet",
    mixed: "mixed scripts",
    filter: "Customer",
    by: "somebody else"
  },
  de: {
    unproven: "wartet auf Nachweis",
    title: "Domains",
    add: "Domain hinzufügen",
    accounts: "DNS-Konten",
    caption: "Domains, neueste zuerst",
    name: "Domain",
    dns: "DNS",
    provider: "DNS-Anbieter",
    customer: "Kunde",
    seen: "Letzte Änderung",
    none: "Noch keine Domain. Fügen Sie eine hinzu: Ihr DNS wird dann laufend geprüft, und ihre Einträge werden geschrieben, wo ein DNS-Konto das erlaubt.",
    noneOf: "Keine Domain dieses Kunden.",
    never: "noch nicht geprüft",
    mixed: "gemischte Schriften",
    filter: "Kunde",
    by: "unbekannt"
  }
})

/** List of domains with their states. */
export default () => {
  const filters = useFilters<string>({ customer: "" })
  const { customer = "" } = filters.value
  const customerId = /^[1-9]\d{0,8}$/.test(customer) ? Number(customer) : undefined
  const trail = useTrail([customerId])
  const skip = Number(trail.value.at(-1) ?? 0)
  const adding = useSignal(false)
  const list = useLoad(
    () => call("GET /api/v1/domains", { query: { limit: 50, skip, customer_id: customerId } }),
    [customerId, skip],
    { live: ["domain.*"] }
  )
  const filterable = useFilterable(list, customer !== "" || skip > 0)
  const actions = (
    <>
      {may("dns.read") ? (
        <a class="button" href="/console/dns-accounts">
          {t().accounts}
        </a>
      ) : null}
      {may("domains.manage") && !adding.value ? (
        <button type="button" class="primary" onClick={() => (adding.value = true)}>
          {t().add}
        </button>
      ) : null}
    </>
  )
  return (
    <Page title={t().title} actions={actions}>
      {adding.value ? <AddDomain shut={() => (adding.value = false)} /> : null}
      {filterable ? (
        <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
          <div class="field">
            <label for="customer-filter">{t().filter}</label>
            <CustomerPicker id="customer-filter" value={customer} set={(id) => filters.set("customer", id)} />
          </div>
        </form>
      ) : null}
      <Loading of={list}>
        {({ items, next_skip }) => (
          <>
            {items.length === 0 ? (
              <p class="empty">{customerId === undefined ? t().none : t().noneOf}</p>
            ) : (
              <Table items={items} />
            )}
            <Pager next={next_skip} trail={trail} />
          </>
        )}
      </Loading>
    </Page>
  )
}

const Table = ({ items }: { readonly items: ReadonlyArray<Domain> }) => {
  const now = useNow(60_000)
  return (
    <div class="scroll" role="region" aria-label={t().caption} tabIndex={0}>
      <table>
        <caption class="sr">{t().caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t().name}</th>
            <th scope="col">{t().dns}</th>
            <th scope="col">{t().provider}</th>
            <th scope="col">{t().customer}</th>
            <th scope="col">{t().seen}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((domain) => (
            <tr key={domain.id}>
              <th scope="row" class="domain-name">
                <a href={`/console/domains/${domain.id}`}>{domain.display_name}</a>
                {domain.display_name === domain.name ? null : <small>{domain.name}</small>}{" "}
                {domain.mixed_scripts ? <Badge tone="warning">{t().mixed}</Badge> : null}{" "}
                {domain.ownership.state === "pending" ? <Badge tone="warning">{t().unproven}</Badge> : null}
              </th>
              <td>
                <DnsStatusBadge of={domain.dns_status} />
              </td>
              <td>{domain.detected_provider ?? <span class="soft">{t().by}</span>}</td>
              <td>
                <CustomerName id={domain.customer_id} />
              </td>
              <td>
                {domain.observed_at === null ? (
                  <span class="soft">{t().never}</span>
                ) : (
                  <When at={domain.observed_at} now={now} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
