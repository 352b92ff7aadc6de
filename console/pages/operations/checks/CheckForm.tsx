import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { Problem } from "../../../lib/Problem.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import { told } from "../Refusals.ts"
import {
  adjustmentFields,
  definitionFields,
  type DefinitionType,
  definitionTypes,
  flattened,
  groupField,
  hostField,
  nameField,
  requestOf,
  rowOf,
  valuesOf
} from "./Fields.ts"
import { type Check, checkWord } from "./Words.ts"

const t = words({
  en: { add: "Add a check", change: (name: string) => `Change ${name}`, type: "What is checked" },
  de: { add: "Prüfung hinzufügen", change: (name: string) => `${name} ändern`, type: "Was geprüft wird" }
})

interface Props {
  /** Undefined to create a check. */
  readonly check: Check | undefined
  readonly saved: (check: Check) => void
  readonly shut: () => void
}

/** Form for a check. A check that was found on the machine has only times and thresholds. */
export const CheckForm = ({ check, saved, shut }: Props) => {
  const type = useSignal<DefinitionType>(check?.definition?.type ?? "http")
  const own = check === undefined || check.definition !== null
  const send = (payload: Record<string, unknown>) => {
    const definition = check?.definition ?? undefined
    const request = requestOf(
      payload,
      own ? type.value : undefined,
      definition === undefined ? {} : valuesOf(definition)
    ) as never
    return (
      check === undefined
        ? call("POST /api/v1/monitoring/checks", { payload: request })
        : call("PUT /api/v1/monitoring/checks/:id", { params: { id: check.id }, payload: request })
    ).then(saved, (error: unknown) => {
      throw error instanceof Problem ? flattened(error) : error
    })
  }
  return (
    <>
      {check === undefined ? (
        <div class="filters">
          <label>
            {t().type}
            <select
              name="check-type"
              value={type.value}
              onChange={({ currentTarget }) => (type.value = currentTarget.value as DefinitionType)}
            >
              {definitionTypes.map((one) => (
                <option key={one} value={one}>
                  {checkWord(one)}
                </option>
              ))}
            </select>
          </label>
        </div>
      ) : null}
      <FieldsForm
        key={type.value}
        title={check === undefined ? t().add : t().change(check.key)}
        fields={[
          ...(check === undefined ? [nameField] : []),
          ...(own ? [...definitionFields[type.value], groupField] : []),
          ...(check === undefined ? [hostField] : []),
          ...adjustmentFields
        ]}
        row={check === undefined ? undefined : rowOf(check)}
        told={told}
        shut={shut}
        send={send}
      />
    </>
  )
}
