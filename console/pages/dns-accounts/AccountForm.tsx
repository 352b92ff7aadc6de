import { useSignal } from "@preact/signals"
import { call } from "../../lib/Call.ts"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { words } from "../../lib/Language.ts"
import { CustomerPicker } from "../../parts/CustomerPicker.tsx"
import type { Types } from "../domains/Providers.ts"
import { told } from "../domains/Refusals.ts"
import type { Provider, ProviderType } from "../domains/Shapes.ts"
import { useDoing } from "../../lib/Doing.ts"
import { errorsOf } from "../telephony/Refusals.ts"

const t = words({
  en: {
    add: "Add an account",
    change: (name: string) => `Change ${name}`,
    name: "Name",
    customer: "Customer",
    type: "DNS provider",
    keep: "Stays as it is unless you type all of them anew.",
    standard: "Default of this customer",
    save: "Save",
    saving: "Saving …",
    cancel: "Cancel"
  },
  de: {
    add: "Konto hinzufügen",
    change: (name: string) => `${name} ändern`,
    name: "Name",
    customer: "Kunde",
    type: "DNS-Anbieter",
    keep: "Bleibt, wie es ist, wenn nicht alles neu eingegeben wird.",
    standard: "Standard dieses Kunden",
    save: "Speichern",
    saving: "Wird gespeichert …",
    cancel: "Abbrechen"
  }
})

interface Props {
  /** Undefined to create an account. */
  readonly account: Provider | undefined
  readonly types: Types
  readonly saved: () => void
  readonly shut: () => void
}

/** Form for an account and its credentials. Credentials are sent to the server and never shown. */
export const AccountForm = ({ account, saved, shut, types }: Props) => {
  const doing = useDoing()
  const form = useFirstFocus<HTMLFormElement>("input, select")
  const customer = useSignal("")
  const type = useSignal<ProviderType>(account?.type ?? types[0]?.type ?? "manual")
  const fields = types.find((one) => one.type === type.value)?.credentials ?? []
  const problem = doing.problem.value
  const errors = errorsOf(problem)
  const submit = (event: Event) => {
    event.preventDefault()
    const given = new FormData(form.current!)
    const typed = Object.fromEntries(
      fields
        .map(({ name }) => [name, String(given.get(name) ?? "").trim()] as const)
        .filter(([, value]) => value !== "")
    )
    const credentials = Object.keys(typed).length === 0 ? {} : { credentials: typed }
    const shared = {
      name: String(given.get("account_name")).trim(),
      is_default: given.has("is_default"),
      ...credentials
    }
    void doing
      .run(() =>
        account === undefined
          ? call("POST /api/v1/dns-providers", {
              payload: { ...shared, customer_id: Number(customer.value), type: type.value }
            })
          : call("PUT /api/v1/dns-providers/:id", { params: { id: account.id }, payload: shared })
      )
      .then((done) => done && saved())
  }
  const error = (name: string) => (errors.has(name) ? <small class="field-error">{errors.get(name)}</small> : null)
  return (
    <form ref={form} class="stack card" aria-labelledby="dns-account" onSubmit={submit} autocomplete="off">
      <h2 id="dns-account">{account === undefined ? t().add : t().change(account.name)}</h2>
      <label>
        {t().name}
        <input name="account_name" required maxLength={100} defaultValue={account?.name ?? ""} />
        {error("name")}
      </label>
      {account === undefined ? (
        <>
          <div class="field">
            <label for="account-customer">{t().customer}</label>
            <CustomerPicker
              id="account-customer"
              value={customer.value}
              set={(id) => (customer.value = id)}
              required
              invalid={errors.has("customer_id")}
            />
            {error("customer_id")}
          </div>
          <label>
            {t().type}
            <select
              name="type"
              value={type.value}
              onChange={({ currentTarget }) => (type.value = currentTarget.value as ProviderType)}
            >
              {types.map((one) => (
                <option key={one.type} value={one.type}>
                  {one.title}
                </option>
              ))}
            </select>
          </label>
        </>
      ) : null}
      {fields.map(({ name, required, secret }) => (
        <label key={`${type.value} ${name}`}>
          <code>{name}</code>
          <input
            {...(secret ? ({ type: "password" } as const) : ({ type: "text" } as const))}
            name={name}
            maxLength={512}
            required={required && account === undefined}
            autocomplete="off"
            spellcheck={false}
          />
          {account === undefined ? null : <small>{t().keep}</small>}
        </label>
      ))}
      {error("credentials")}
      <label class="check">
        <input type="checkbox" name="is_default" defaultChecked={account?.is_default ?? false} /> {t().standard}
      </label>
      <div role="alert" class={problem === undefined ? "" : "trouble"}>
        {problem === undefined ? null : <p>{told(problem)}</p>}
      </div>
      <div class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {doing.busy.value ? t().saving : t().save}
        </button>
        <button type="button" onClick={shut}>
          {t().cancel}
        </button>
      </div>
    </form>
  )
}
