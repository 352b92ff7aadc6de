import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { duration } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"
import { Badge } from "../../parts/Badge.tsx"
import { Empty } from "../../parts/Empty.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { Sure } from "../mail/Sure.tsx"
import { RecordBadge } from "./Badges.tsx"
import { OutcomeNote } from "./OutcomeNote.tsx"
import { RecordForm } from "./RecordForm.tsx"
import { told } from "./Refusals.ts"
import type { DnsRecord, Domain } from "./Shapes.ts"

const t = words({
  en: {
    title: "Records",
    add: "Add a record",
    none: "No records yet. Records that the platform needs appear here, and those that you add.",
    caption: "Records of the domain",
    type: "Type",
    name: "Name",
    content: "Content",
    ttl: "Kept",
    status: "Status",
    whose: "Whose",
    actions: "Actions",
    change: "Change",
    remove: "Remove",
    sure: "Really remove?",
    platform: "platform",
    user: "yours",
    mail: "mail",
    foreign: "in the zone, not ours",
    managed: "in the provider's zone",
    of: (what: string, record: string) => `${what}: ${record}`
  },
  de: {
    title: "Einträge",
    add: "Eintrag hinzufügen",
    none: "Noch keine Einträge. Hier stehen die Einträge, die die Plattform braucht, und Ihre eigenen.",
    caption: "Einträge der Domain",
    type: "Typ",
    name: "Name",
    content: "Inhalt",
    ttl: "Gilt",
    status: "Stand",
    whose: "Von wem",
    actions: "Aktionen",
    change: "Ändern",
    remove: "Entfernen",
    sure: "Wirklich entfernen?",
    platform: "Plattform",
    user: "Ihrer",
    mail: "Mail",
    foreign: "in der Zone, nicht unserer",
    managed: "in der Zone des Anbieters",
    of: (what: string, record: string) => `${what}: ${record}`
  }
})

/** Required records of a domain, and the other records of a managed zone. */
export const Records = ({ domain }: { readonly domain: Domain }) => {
  const records = useLoad(
    () => call("GET /api/v1/domains/:id/records", { params: { id: domain.id } }),
    [domain.id, domain.updated_at],
    { live: ["domain.*", "dns.*"] }
  )
  /** The record that is being edited; `new` while one is being added. */
  const open = useSignal<DnsRecord | "new" | undefined>(undefined)
  const shut = () => (open.value = undefined)
  const saved = () => {
    shut()
    records.reload()
  }
  return (
    <section class="card" aria-labelledby="records">
      <div class="card-head">
        <h2 id="records">{t().title}</h2>
        {may("dns.manage") && open.value !== "new" ? (
          <button type="button" onClick={() => (open.value = "new")}>
            {t().add}
          </button>
        ) : null}
      </div>
      {open.value === undefined ? null : (
        <RecordForm
          key={open.value === "new" ? "new" : open.value.id}
          domainId={domain.id}
          record={open.value === "new" ? undefined : open.value}
          saved={saved}
          shut={shut}
        />
      )}
      <Loading of={records}>
        {({ items, provider }) => (
          <>
            {domain.dns_provider_id === null ? null : <OutcomeNote of={provider} />}
            <RecordRows items={items} changed={saved} edit={(record) => (open.value = record)} />
          </>
        )}
      </Loading>
    </section>
  )
}

interface Rows {
  readonly items: ReadonlyArray<DnsRecord>
  readonly changed: () => void
  readonly edit: (record: DnsRecord) => void
}

const RecordRows = ({ changed, edit, items }: Rows) => {
  const doing = useDoing()
  const remove = (record: DnsRecord) =>
    void doing
      .run(() =>
        call("DELETE /api/v1/domains/:id/records/:record_id", {
          params: { id: record.domain_id, record_id: record.id }
        })
      )
      .then((done) => done && changed())
  return (
    <>
      {doing.problem.value === undefined ? null : (
        <div class="trouble" role="alert">
          <p>{told(doing.problem.value)}</p>
        </div>
      )}
      {items.length === 0 ? <Empty text={t().none} /> : null}
      <div class="scroll" role="region" aria-label={t().caption} tabIndex={0} hidden={items.length === 0}>
        <table>
          <caption class="sr">{t().caption}</caption>
          <thead>
            <tr>
              <th scope="col">{t().type}</th>
              <th scope="col">{t().name}</th>
              <th scope="col">{t().content}</th>
              <th scope="col">{t().ttl}</th>
              <th scope="col">{t().status}</th>
              <th scope="col">{t().whose}</th>
              <th scope="col">{t().actions}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((record) => {
              const called = `${record.type} ${record.name}`
              return (
                <tr key={record.id}>
                  <td>{record.type}</td>
                  <td>
                    <code>{record.name}</code>
                  </td>
                  <td>
                    <code class="values">{record.content}</code>
                  </td>
                  <td>{record.ttl === null ? "" : duration(record.ttl * 1000)}</td>
                  <td>{record.source === "foreign" ? null : <RecordBadge of={record.status} />}</td>
                  <td>
                    {t()[record.source]} {record.managed ? <Badge tone="info">{t().managed}</Badge> : null}
                  </td>
                  <td>
                    {record.source === "user" && may("dns.manage") ? (
                      <div class="page-actions">
                        <button
                          type="button"
                          class="small"
                          aria-label={t().of(t().change, called)}
                          onClick={() => edit(record)}
                        >
                          {t().change}
                        </button>
                        {record.managed ? null : (
                          <Sure sure={t().sure} disabled={doing.busy.value} onSure={() => remove(record)}>
                            {t().remove}
                            <span class="sr">: {called}</span>
                          </Sure>
                        )}
                      </div>
                    ) : null}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}
