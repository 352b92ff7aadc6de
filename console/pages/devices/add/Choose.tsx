import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { language, words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { may, me } from "../../../lib/Me.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { Finder } from "../../../parts/Finder.tsx"
import { Loading } from "../../../parts/Loading.tsx"
import { useDoing } from "../../../lib/Doing.ts"
import { findPeople } from "../People.ts"
import { Refused } from "../Words.ts"
import type { NewLink } from "./Share.tsx"

const t = words({
  en: {
    who: "Who uses the device?",
    myself: "I do",
    other: "Somebody else",
    person: "Person",
    find: "Name or e-mail address",
    label: "Name of the device (optional)",
    labelHint: "Such as “Anna's phone”. Otherwise the device names itself.",
    services: "The device gets",
    notBooked: "not booked",
    make: "Make the link",
    making: "One moment …"
  },
  de: {
    who: "Wer benutzt das Gerät?",
    myself: "Ich",
    other: "Jemand anders",
    person: "Person",
    find: "Name oder E-Mail-Adresse",
    label: "Name des Geräts (optional)",
    labelHint: "Etwa „Annas Telefon“. Sonst nennt sich das Gerät selbst.",
    services: "Das Gerät bekommt",
    notBooked: "nicht gebucht",
    make: "Link erzeugen",
    making: "Einen Moment …"
  }
})

interface Chosen {
  readonly id: string
  readonly label: string
  readonly detail: () => string
  readonly email: string
}

/** First step: the person, a name for the device, and the services that it gets. */
export const Choose = ({ made }: { readonly made: (link: NewLink) => void }) => {
  const doing = useDoing()
  const forOther = useSignal(false)
  const person = useSignal<Chosen | undefined>(undefined)
  const label = useSignal("")
  const services = useLoad(
    () => call("GET /api/v1/provisioning/my-services", { query: { lang: language.value } }),
    [language.value]
  )
  const submit = (event: Event) => {
    event.preventDefault()
    const other = forOther.value ? person.value : undefined
    if (forOther.value && other === undefined) return
    void doing.run(async () => {
      const token = await call("POST /api/v1/provisioning/client-tokens", {
        payload: {
          ...(other === undefined ? {} : { user_id: Number(other.id) }),
          ...(label.value.trim() === "" ? {} : { label: label.value.trim() })
        }
      })
      made({ token, person: other?.label ?? me.value?.name ?? "", email: other?.email ?? me.value?.email ?? "" })
    })
  }
  return (
    <form class="stack" onSubmit={submit}>
      {may("users.manage") && may("users.read") ? (
        <fieldset>
          <legend>{t().who}</legend>
          {([false, true] as const).map((other) => (
            <label key={String(other)} class="check">
              <input
                type="radio"
                name="who"
                checked={forOther.value === other}
                onChange={() => (forOther.value = other)}
              />
              {other ? t().other : t().myself}
            </label>
          ))}
          {forOther.value ? (
            <>
              <label for="device-person">{t().person}</label>
              <Finder
                id="device-person"
                value={person.value}
                placeholder={t().find}
                label={t().person}
                focused
                find={async (text) =>
                  (await findPeople(text)).map(({ email, id, name }) => ({
                    id: String(id),
                    label: name,
                    detail: () => email,
                    email
                  }))
                }
                pick={(found) => (person.value = found)}
              />
            </>
          ) : null}
        </fieldset>
      ) : null}
      <label>
        {t().label}
        <input
          name="label"
          maxLength={100}
          autocomplete="off"
          value={label.value}
          onInput={({ currentTarget }) => (label.value = currentTarget.value)}
        />
        <small>{t().labelHint}</small>
      </label>
      {forOther.value ? null : (
        <Loading of={services}>
          {(answer) => (
            <div>
              <p id="device-services">{t().services}</p>
              <ul class="device-services" aria-labelledby="device-services">
                {answer.services.map((service) => (
                  <li key={service.slug}>
                    <span>{service.name}</span>
                    {service.booked ? null : <Badge tone="quiet">{t().notBooked}</Badge>}
                    <small>{service.description}</small>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </Loading>
      )}
      <Refused problem={doing.problem.value} />
      <div class="page-actions">
        <button
          type="submit"
          class="primary"
          disabled={doing.busy.value || (forOther.value && person.value === undefined)}
        >
          {doing.busy.value ? t().making : t().make}
        </button>
      </div>
    </form>
  )
}
