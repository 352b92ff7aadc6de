import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"
import { Loading } from "../../parts/Loading.tsx"
import { DialButton } from "./DialButton.tsx"

const t = words({
  en: {
    title: "Customers",
    search: "Name, customer number or telephone number",
    none: "Nobody found.",
    hint: "Type whom you want to call.",
    no: "no number"
  },
  de: {
    title: "Kunden",
    search: "Name, Kunden- oder Telefonnummer",
    none: "Niemand gefunden.",
    hint: "Tippen Sie, wen Sie anrufen wollen.",
    no: "keine Nummer"
  }
})

/** Maximum number of customers shown. Reason: a better search word finds the others. */
const most = 8

/** Delay between the last key press and the search. Unit: milliseconds. */
const pause = 300

/** Searches customers, with a button to call each. */
export const Contacts = () => {
  const text = useSignal("")
  const asked = useSignal("")
  useEffect(() => {
    const timer = setTimeout(() => (asked.value = text.value.trim()), pause)
    return () => clearTimeout(timer)
  }, [text.value])
  const found = useLoad(
    async () =>
      asked.value === ""
        ? []
        : (await call("GET /api/v1/crm/customers", { query: { q: asked.value, limit: most } })).items,
    [asked.value]
  )
  return (
    <section class="card" aria-labelledby="contacts">
      <h2 id="contacts">{t().title}</h2>
      <label class="dial-number">
        {t().search}
        <input
          type="search"
          name="contact"
          maxLength={100}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </label>
      {asked.value === "" ? (
        <p class="hint">{t().hint}</p>
      ) : (
        <Loading of={found}>
          {(items) => (
            <ul class="rows" aria-live="polite">
              {items.length === 0 ? (
                <li>{t().none}</li>
              ) : (
                items.map(({ id, name, phones }) => (
                  <li key={id} class="person">
                    <strong>{name}</strong>
                    <span class="numbers">
                      {phones.length === 0 ? (
                        <small>{t().no}</small>
                      ) : (
                        phones.map((number) => (
                          <DialButton key={number} number={number} name={name} who={`${name}, ${number}`} />
                        ))
                      )}
                    </span>
                  </li>
                ))
              )}
            </ul>
          )}
        </Loading>
      )}
    </section>
  )
}
