import { call } from "../../../lib/Call.ts"
import { language, words } from "../../../lib/Language.ts"
import { useLoad } from "../../../lib/Load.ts"
import { Loading } from "../../../parts/Loading.tsx"

const t = words({
  en: { components: "Components", none: "The status page has no components yet." },
  de: { components: "Komponenten", none: "Die Statusseite hat noch keine Komponenten." }
})

/** Check boxes of the components of the status page. */
export const ComponentChoice = ({
  chosen,
  labelled = false,
  set
}: {
  readonly chosen: ReadonlySet<string>
  readonly set: (chosen: ReadonlySet<string>) => void
  /** Whether the form shows a label above. */
  readonly labelled?: boolean
}) => {
  const components = useLoad(() => call("GET /api/v1/components"))
  return (
    <fieldset class={labelled ? "component-choice" : "inset"}>
      <legend class={labelled ? "sr" : ""}>{t().components}</legend>
      <Loading of={components}>
        {(found) =>
          found.components.length === 0 ? (
            <p class="soft">{t().none}</p>
          ) : (
            found.components.map(({ id, name_de, name_en }) => (
              <label key={id} class="check">
                <input
                  type="checkbox"
                  checked={chosen.has(id)}
                  onChange={({ currentTarget }) => {
                    const next = new Set(chosen)
                    if (currentTarget.checked) next.add(id)
                    else next.delete(id)
                    set(next)
                  }}
                />
                {language.value === "de" ? name_de : name_en}
              </label>
            ))
          )
        }
      </Loading>
    </fieldset>
  )
}
