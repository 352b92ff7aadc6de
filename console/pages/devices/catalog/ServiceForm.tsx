import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { useFirstFocus } from "../../../lib/FirstFocus.ts"
import { words } from "../../../lib/Language.ts"
import { Problem } from "../../../lib/Problem.ts"
import { useDoing } from "../../../lib/Doing.ts"
import { Refused } from "../Words.ts"
import { nameOf, type Service } from "./Catalog.ts"

const t = words({
  en: {
    title: (name: string) => `Change ${name}`,
    add: "Add a service",
    slug: "Short name",
    slugHint: "Small letters, digits and -, such as files. It cannot be changed later.",
    icon: "Icon",
    feature: "Feature",
    featureHint: "What the answer to a device lists while the service is booked, such as webdav",
    position: "Place in lists",
    nameDe: "Name in German",
    nameEn: "Name in English",
    textDe: "Description in German",
    textEn: "Description in English",
    template: "Configuration (JSON)",
    hint: "Placeholders: {base_url}, {user_slug}, {email}, {domain}, {display_name}",
    always: "Always booked",
    save: "Save",
    cancel: "Cancel"
  },
  de: {
    title: (name: string) => `${name} ändern`,
    add: "Dienst hinzufügen",
    slug: "Kurzname",
    slugHint: "Kleine Buchstaben, Ziffern und -, etwa files. Er lässt sich später nicht ändern.",
    icon: "Symbol",
    feature: "Merkmal",
    featureHint: "Was die Antwort an ein Gerät nennt, solange der Dienst gebucht ist, etwa webdav",
    position: "Platz in Listen",
    nameDe: "Name auf Deutsch",
    nameEn: "Name auf Englisch",
    textDe: "Beschreibung auf Deutsch",
    textEn: "Beschreibung auf Englisch",
    template: "Konfiguration (JSON)",
    hint: "Platzhalter: {base_url}, {user_slug}, {email}, {domain}, {display_name}",
    always: "Immer gebucht",
    save: "Speichern",
    cancel: "Abbrechen"
  }
})

/** The JSON object that a text contains; undefined when it contains anything else. */
const parsed = (text: string): Service["config_template"] | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Service["config_template"])
      : undefined
  } catch {
    return undefined
  }
}

/** Form that makes a service, or changes names, texts and configuration of one. */
export const ServiceForm = ({
  saved,
  service,
  shut
}: {
  /** Undefined for a new one. */
  readonly service: Service | undefined
  readonly saved: () => void
  readonly shut: () => void
}) => {
  const doing = useDoing()
  const form = useFirstFocus<HTMLFormElement>("input")
  const isBase = useSignal(service?.is_base ?? false)
  const submit = (event: Event) => {
    event.preventDefault()
    const typed = new FormData(form.current!)
    const text = (name: string) => String(typed.get(name) ?? "").trim()
    void doing
      .run(async () => {
        const template = parsed(text("template"))
        if (template === undefined) throw new Problem(422, "invalid_template", "")
        const given = {
          name_i18n: { ...service?.name_i18n, de: text("name_de"), en: text("name_en") },
          description_i18n: { ...service?.description_i18n, de: text("text_de"), en: text("text_en") },
          config_template: template,
          feature_slug: text("feature"),
          icon: text("icon"),
          position: Number(text("position")),
          is_base: isBase.value
        }
        if (service === undefined)
          await call("POST /api/v1/provisioning/services", { payload: { slug: text("slug"), ...given } })
        else await call("PUT /api/v1/provisioning/services/:slug", { params: { slug: service.slug }, payload: given })
      })
      .then((done) => done && saved())
  }
  const field = (name: string, label: string, value: string | undefined, hint?: string) => (
    <label>
      {label}
      <input name={name} defaultValue={value ?? ""} required autocomplete="off" />
      {hint === undefined ? null : <small>{hint}</small>}
    </label>
  )
  return (
    <form ref={form} class="stack card" onSubmit={submit} aria-labelledby="service-form">
      <h2 id="service-form">{service === undefined ? t().add : t().title(nameOf(service))}</h2>
      {service === undefined ? field("slug", t().slug, "", t().slugHint) : null}
      {field("name_en", t().nameEn, service?.name_i18n["en"])}
      {field("name_de", t().nameDe, service?.name_i18n["de"])}
      {field("text_en", t().textEn, service?.description_i18n["en"])}
      {field("text_de", t().textDe, service?.description_i18n["de"])}
      {field("feature", t().feature, service?.feature_slug, t().featureHint)}
      {field("icon", t().icon, service?.icon ?? "settings")}
      <label>
        {t().position}
        <input name="position" type="number" min={0} required defaultValue={String(service?.position ?? 100)} />
      </label>
      <label>
        {t().template}
        <textarea
          class="catalog-template"
          name="template"
          spellcheck={false}
          defaultValue={JSON.stringify(service?.config_template ?? {}, null, 2)}
        />
        <small>{t().hint}</small>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isBase.value}
          onChange={({ currentTarget }) => (isBase.value = currentTarget.checked)}
        />
        {t().always}
      </label>
      <Refused problem={doing.problem.value} />
      <div class="page-actions">
        <button type="submit" class="primary" disabled={doing.busy.value}>
          {t().save}
        </button>
        <button type="button" onClick={shut}>
          {t().cancel}
        </button>
      </div>
    </form>
  )
}
