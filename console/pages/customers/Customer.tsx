import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { may, me } from "../../lib/Me.ts"
import { ContactLink } from "../../parts/ContactLink.tsx"
import { Loading } from "../../parts/Loading.tsx"
import { Page } from "../../parts/Page.tsx"
import { common } from "../telephony/kinds/Common.ts"
import { customerHref, customersFor, customerWords } from "../telephony/kinds/Customers.tsx"
import { Rows } from "../telephony/kinds/Shown.tsx"
import { Form } from "../telephony/Form.tsx"
import { At } from "../../parts/When.tsx"

const t = words({
  en: {
    customer: (number: string) => `Customer ${number}`,
    none: "There is no customer of this number.",
    all: "All customers",
    change: "Change",
    since: "Known since",
    changed: "Last changed",
    noPhone: "none"
  },
  de: {
    customer: (number: string) => `Kunde ${number}`,
    none: "Es gibt keinen Kunden mit dieser Nummer.",
    all: "Alle Kunden",
    change: "Ändern",
    since: "Bekannt seit",
    changed: "Zuletzt geändert",
    noPhone: "keine"
  }
})

/** Page of one customer, selected by customer number. The dialog of an incoming call links to it. */
export default ({ number }: { readonly number: string }) => {
  const { query, route } = useLocation()
  const own = me.value?.tenant_id
  const tenant = query["tenant"] ?? (own === undefined ? undefined : String(own))
  const editing = useSignal(false)
  const found = useLoad(
    () => call("GET /api/v1/crm/customers", { query: { number, tenant_id: tenant } }),
    [number, tenant],
    { live: ["customer.*"] }
  )
  const customer = found.value.value?.items[0]
  return (
    <Page
      title={customer?.name ?? t().customer(number)}
      actions={
        <>
          {customer !== undefined && !editing.value && may("customers.manage") ? (
            <button type="button" class="primary" onClick={() => (editing.value = true)}>
              {t().change}
            </button>
          ) : null}
          <a class="button" href="/console/customers">
            {t().all}
          </a>
        </>
      }
    >
      <Loading of={found}>
        {() =>
          customer === undefined ? (
            <p class="empty">{t().none}</p>
          ) : (
            <>
              {editing.value ? (
                <Form
                  of={customersFor(own)}
                  row={customer}
                  shut={() => (editing.value = false)}
                  saved={(saved) => {
                    editing.value = false
                    if (saved.number === customer.number) found.reload()
                    else route(customerHref(saved.number, saved.tenant_id === own ? undefined : saved.tenant_id), true)
                  }}
                />
              ) : null}
              <section class="card">
                <dl class="facts">
                  <dt>{customerWords().number}</dt>
                  <dd>{customer.number}</dd>
                  <dt>{common().name}</dt>
                  <dd>{customer.name}</dd>
                  <dt>{customerWords().phones}</dt>
                  <dd>
                    {customer.phones.length === 0 ? (
                      t().noPhone
                    ) : (
                      <Rows>
                        {customer.phones.map((phone) => (
                          <ContactLink key={phone} kind="call" to={phone} />
                        ))}
                      </Rows>
                    )}
                  </dd>
                  <dt>{customerWords().email}</dt>
                  <dd>{customer.email === null ? "–" : <ContactLink kind="mail" to={customer.email} />}</dd>
                  <dt>{customerWords().locale}</dt>
                  <dd>{customer.locale}</dd>
                  <dt>{t().since}</dt>
                  <dd>
                    <At at={customer.created_at} />
                  </dd>
                  <dt>{t().changed}</dt>
                  <dd>
                    <At at={customer.updated_at} />
                  </dd>
                </dl>
              </section>
            </>
          )
        }
      </Loading>
    </Page>
  )
}
