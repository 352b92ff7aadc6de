import { useSignal } from "@preact/signals"
import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { told } from "../Refusals.ts"
import {
  checkInputs,
  checkOf,
  type CheckType,
  checkTypes,
  checkWords,
  fieldsOf,
  idOf,
  inForm,
  type StoredComponent
} from "./Checks.ts"
import { TryCheck } from "./TryCheck.tsx"

const t = words({
  en: {
    add: "Add a component",
    change: (name: string) => `Change ${name}`,
    type: "What is checked",
    german: "Name in German",
    english: "Name in English",
    group: "Group in German",
    groupEn: "Group in English",
    groupHint: "Components of a group are shown together. Leave empty for none.",
    id: "Id",
    idHint:
      "Used in addresses and in the API, and cannot be changed later. Leave empty to take it from the English name."
  },
  de: {
    add: "Komponente hinzufügen",
    change: (name: string) => `${name} ändern`,
    type: "Was geprüft wird",
    german: "Name auf Deutsch",
    english: "Name auf Englisch",
    group: "Gruppe auf Deutsch",
    groupEn: "Gruppe auf Englisch",
    groupHint: "Komponenten einer Gruppe stehen beieinander. Leer: keine Gruppe.",
    id: "Kennung",
    idHint: "Steht in Adressen und in der API und lässt sich später nicht ändern. Leer: aus dem englischen Namen."
  }
})

const text = (name: string, label: () => string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  input: { kind: "text" },
  ...more
})

/** Fields beside the check, with the values of a component that is changed. */
const baseFields = (of: StoredComponent | undefined): ReadonlyArray<Field> => [
  text("name", () => t().german, { required: true, initial: of?.name }),
  text("name_en", () => t().english, { required: true, initial: of?.name_en }),
  text("group", () => t().group, { hint: () => t().groupHint, initial: of?.group ?? undefined }),
  text("group_en", () => t().groupEn, { initial: of?.group_en ?? undefined }),
  ...(of === undefined ? [text("id", () => t().id, { hint: () => t().idHint })] : [])
]

interface Props {
  /** Undefined to add a component. */
  readonly of: StoredComponent | undefined
  readonly saved: () => void
  readonly shut: () => void
}

/** Form of a component with one check, which can be tried before it is saved. Further checks stay as they are. */
export const ComponentForm = ({ of, saved, shut }: Props) => {
  const [first, ...others] = of?.checks ?? []
  const chosen = useSignal<CheckType | "none">(of === undefined ? "http" : (first?.type ?? "none"))
  const type = chosen.value === "none" ? undefined : chosen.value
  const checks = (given: Record<string, unknown>) => [...(type === undefined ? [] : [checkOf(type, given)]), ...others]
  const send = (given: Record<string, unknown>) => {
    const own = Object.fromEntries(Object.entries(given).filter(([name]) => !checkInputs.has(name)))
    const {
      group = null,
      group_en = null,
      id,
      name,
      name_en
    } = own as {
      readonly name: string
      readonly name_en: string
      readonly group?: string
      readonly group_en?: string
      readonly id?: string
    }
    const payload = { name, name_en, group, group_en, checks: checks(given) }
    return (
      of === undefined
        ? call("POST /api/v1/admin/components", { payload: { id: id ?? idOf(name_en), ...payload } })
        : call("PUT /api/v1/admin/components/:id", { params: { id: of.id }, payload })
    ).then(saved, (error: unknown) => {
      throw inForm(type, error)
    })
  }
  return (
    <>
      <div class="filters">
        <label>
          {t().type}
          <select
            name="component-check"
            value={chosen.value}
            onChange={({ currentTarget }) => (chosen.value = currentTarget.value as CheckType | "none")}
          >
            {checkTypes.map((one) => (
              <option key={one} value={one}>
                {checkWords()[one]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <FieldsForm
        key={chosen.value}
        title={of === undefined ? t().add : t().change(of.name_en)}
        fields={[...baseFields(of), ...(type === undefined ? [] : fieldsOf(type, first))]}
        row={undefined}
        told={told}
        shut={shut}
        send={send}
        below={(given) => (type === undefined ? null : <TryCheck type={type} given={() => checkOf(type, given())} />)}
      />
    </>
  )
}
