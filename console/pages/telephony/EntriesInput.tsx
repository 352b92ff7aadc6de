import { words } from "../../lib/Language.ts"
import { DestinationInput } from "./DestinationInput.tsx"
import { type Destination, nowhere } from "./Draft.ts"

const t = words({
  en: {
    digits: "Keys",
    entry: (at: number) => `Entry ${at}`,
    remove: (at: number) => `Remove entry ${at}`,
    add: "Add an entry"
  },
  de: {
    digits: "Tasten",
    entry: (at: number) => `Eintrag ${at}`,
    remove: (at: number) => `Eintrag ${at} entfernen`,
    add: "Eintrag hinzufügen"
  }
})

interface Entry extends Destination {
  readonly digits: string
}

/** Keys that a caller can press, and their destinations. */
export const EntriesInput = ({
  id,
  set,
  value
}: {
  readonly id: string
  readonly value: ReadonlyArray<Entry>
  readonly set: (value: ReadonlyArray<Entry>) => void
}) => (
  <>
    {value.map((entry, at) => (
      <div key={at} class="entry" role="group" aria-label={t().entry(at + 1)}>
        <input
          type="text"
          class="keys"
          aria-label={t().digits}
          value={entry.digits}
          required
          onInput={({ currentTarget }) => set(value.with(at, { ...entry, digits: currentTarget.value.trim() }))}
        />
        <DestinationInput
          id={`${id}-${at}`}
          value={entry}
          set={(destination) => set(value.with(at, { digits: entry.digits, ...destination }))}
        />
        <button type="button" class="small" aria-label={t().remove(at + 1)} onClick={() => set(value.toSpliced(at, 1))}>
          ×
        </button>
      </div>
    ))}
    <div>
      <button type="button" id={id} class="small" onClick={() => set([...value, { digits: "", ...nowhere }])}>
        {t().add}
      </button>
    </div>
  </>
)
