import { useRef } from "preact/hooks"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { told } from "../Refusals.ts"
import { componentsField, componentsOf, messageFields, severityField } from "./Fields.tsx"
import { type Incident, titleOf } from "./IncidentWords.ts"

const t = words({
  en: {
    open: "Open an incident",
    change: (title: string) => `Change ${title}`,
    german: "Title in German",
    english: "Title in English",
    affected: "What is affected",
    publish: "Publish it now and notify subscribers"
  },
  de: {
    open: "Störung anlegen",
    change: (title: string) => `${title} ändern`,
    german: "Titel auf Deutsch",
    english: "Titel auf Englisch",
    affected: "Was betroffen ist",
    publish: "Jetzt veröffentlichen und Abonnenten benachrichtigen"
  }
})

const fieldsOf = (of: Incident | undefined): ReadonlyArray<Field> => {
  const last = of?.updates.at(-1)
  return [
    { name: "title", label: () => t().german, input: { kind: "text" }, required: true, initial: of?.title },
    { name: "title_en", label: () => t().english, input: { kind: "text" }, required: true, initial: of?.title_en },
    severityField(of?.severity),
    componentsField(() => t().affected, of?.components),
    ...messageFields(last?.message, last?.message_en),
    ...(of === undefined
      ? [{ name: "publish", label: () => t().publish, input: { kind: "check" } } satisfies Field]
      : [])
  ]
}

interface Props {
  /** Undefined to open an incident. */
  readonly of: Incident | undefined
  readonly saved: (incident: Incident) => void
  readonly shut: () => void
}

/** Form for the texts of an incident. A change replaces the texts of the newest update and notifies nobody. */
export const IncidentForm = ({ of, saved, shut }: Props) => {
  // The page loads the incident again while the form is open. The inputs keep the texts of the first one, so a change
  // by somebody else must be found by its time.
  const opened = useRef(of).current
  return (
    <FieldsForm
      title={opened === undefined ? t().open : t().change(titleOf(opened))}
      fields={fieldsOf(opened)}
      row={undefined}
      told={told}
      shut={shut}
      send={(given) => {
        const payload = { ...given, components: componentsOf(given["components"]) } as never
        return (
          opened === undefined
            ? call("POST /api/v1/admin/incidents", { payload })
            : call("PUT /api/v1/admin/incidents/:id", {
                params: { id: opened.id },
                payload: { ...(payload as object), updated_at: opened.updated_at }
              })
        ).then(saved)
      }}
    />
  )
}
