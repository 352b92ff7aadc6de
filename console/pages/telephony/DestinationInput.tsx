import { words } from "../../lib/Language.ts"
import type { Destination } from "./Draft.ts"
import type { ThingName } from "./Kind.ts"
import { Picker } from "./Picker.tsx"
import { destinations, thingTitle } from "./Things.ts"

const t = words({
  en: { type: "Kind of destination", which: "Destination" },
  de: { type: "Art des Ziels", which: "Ziel" }
})

interface Props {
  readonly id: string
  readonly value: Destination
  readonly set: (value: Destination) => void
  readonly invalid?: boolean
  readonly describedBy?: string
}

/** Selects the destination of calls: its type, and the object of that type. */
export const DestinationInput = ({ describedBy, id, invalid = false, set, value }: Props) => (
  <span class="destination">
    <select
      id={id}
      aria-label={t().type}
      value={value.destination_type}
      onChange={({ currentTarget }) => set({ destination_type: currentTarget.value, destination_id: undefined })}
    >
      {destinations.map((type) => (
        <option key={type} value={type}>
          {thingTitle(type)}
        </option>
      ))}
    </select>
    <Picker
      key={value.destination_type}
      id={`${id}-which`}
      label={t().which}
      of={value.destination_type as ThingName}
      required
      invalid={invalid}
      {...(describedBy === undefined ? {} : { describedBy })}
      value={value.destination_id === undefined ? "" : String(value.destination_id)}
      pick={(picked) => set({ ...value, destination_id: picked === "" ? undefined : Number(picked) })}
    />
  </span>
)
