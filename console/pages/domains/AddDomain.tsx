import { useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { call } from "../../lib/Call.ts"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { words } from "../../lib/Language.ts"
import { CustomerPicker } from "../../parts/CustomerPicker.tsx"
import { useDoing } from "../../lib/Doing.ts"
import { errorsOf } from "../telephony/Refusals.ts"
import { useProviders } from "./Providers.ts"
import { told } from "./Refusals.ts"

const t = words({
  en: {
    title: "Add a domain",
    name: "Domain",
    nameHint: "Such as example.org, in any script.",
    customer: "Customer",
    account: "DNS account",
    found: "told by its name servers",
    add: "Add",
    adding: "Its name servers are being asked …",
    cancel: "Cancel"
  },
  de: {
    title: "Domain hinzufügen",
    name: "Domain",
    nameHint: "Etwa example.org, in jeder Schrift.",
    customer: "Kunde",
    account: "DNS-Konto",
    found: "erkannt an den Nameservern",
    add: "Hinzufügen",
    adding: "Die Nameserver werden gefragt …",
    cancel: "Abbrechen"
  }
})

/** Form for a new domain; then opens its page, which shows the next steps. */
export const AddDomain = ({ shut }: { readonly shut: () => void }) => {
  const { route } = useLocation()
  const doing = useDoing()
  const form = useFirstFocus<HTMLFormElement>("input")
  const customer = useSignal("")
  const providers = useProviders()
  const problem = doing.problem.value
  const errors = errorsOf(problem)
  const submit = (event: Event) => {
    event.preventDefault()
    const given = new FormData(form.current!)
    const account = String(given.get("dns_provider_id") ?? "")
    let id = 0
    void doing
      .run(async () => {
        const made = await call("POST /api/v1/domains", {
          payload: {
            name: String(given.get("name")).trim(),
            customer_id: Number(customer.value),
            ...(account === "" ? {} : { dns_provider_id: Number(account) })
          }
        })
        id = made.id
      })
      .then((done) => done && route(`/console/domains/${id}`))
  }
  const error = (name: string) =>
    errors.has(name) ? (
      <small class="field-error" id={`${name}-error`}>
        {errors.get(name)}
      </small>
    ) : null
  const marked = (name: string) =>
    errors.has(name) ? ({ "aria-invalid": true, "aria-describedby": `${name}-error` } as const) : {}
  return (
    <form ref={form} class="stack card" aria-labelledby="add-domain" onSubmit={submit}>
      <h2 id="add-domain">{t().title}</h2>
      <label>
        {t().name}
        <input
          name="name"
          required
          maxLength={1000}
          autocomplete="off"
          spellcheck={false}
          placeholder="example.org"
          {...marked("name")}
        />
        {error("name") ?? <small>{t().nameHint}</small>}
      </label>
      <div class="field">
        <label for="domain-customer">{t().customer}</label>
        <CustomerPicker
          id="domain-customer"
          value={customer.value}
          set={(id) => (customer.value = id)}
          required
          invalid={errors.has("customer_id")}
          {...(errors.has("customer_id") ? { describedBy: "customer_id-error" } : {})}
        />
        {error("customer_id")}
      </div>
      {(providers.value.value ?? []).length === 0 ? null : (
        <label>
          {t().account}
          <select name="dns_provider_id" {...marked("dns_provider_id")}>
            <option value="">{t().found}</option>
            {providers.value.value!.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          {error("dns_provider_id")}
        </label>
      )}
      <div role="alert" class={problem === undefined ? "" : "trouble"}>
        {problem === undefined ? null : <p>{told(problem)}</p>}
      </div>
      <div class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {doing.busy.value ? t().adding : t().add}
        </button>
        <button type="button" onClick={shut}>
          {t().cancel}
        </button>
      </div>
    </form>
  )
}
