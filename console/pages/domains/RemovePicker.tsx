import { call } from "../../lib/Call.ts"
import { words } from "../../lib/Language.ts"
import { useLoad } from "../../lib/Load.ts"

const t = words({
  en: {
    title: "Remove records with the next plan",
    of: (type: string, name: string, content: string) => `${type} ${name} ${content}`
  },
  de: {
    title: "Einträge mit dem nächsten Plan entfernen",
    of: (type: string, name: string, content: string) => `${type} ${name} ${content}`
  }
})

interface Props {
  readonly domainId: number
  /** Ids of the selected records. */
  readonly chosen: ReadonlyArray<string>
  readonly choose: (ids: ReadonlyArray<string>) => void
}

/** Selects user-defined records of the provider's zone to remove; hidden when there are none. */
export const RemovePicker = ({ choose, chosen, domainId }: Props) => {
  const records = useLoad(() => call("GET /api/v1/domains/:id/records", { params: { id: domainId } }), [domainId], {
    live: ["domain.*", "dns.*"]
  })
  const offered = (records.value.value?.items ?? []).filter(({ managed, source }) => managed && source === "user")
  if (offered.length === 0) return null
  return (
    <details>
      <summary>{t().title}</summary>
      {offered.map(({ content, id, name, type }) => (
        <label key={id} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget }) =>
              choose(currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />{" "}
          <code class="values">{t().of(type, name, content)}</code>
        </label>
      ))}
    </details>
  )
}
