import { words } from "../../lib/Language.ts"
import { Icon } from "../../parts/Icon.tsx"
import { isFree } from "../../softphone/CallState.ts"
import { call, dial, registration } from "../../softphone/Phone.ts"

const t = words({ en: { dial: (who: string) => `Call ${who}` }, de: { dial: (who: string) => `${who} anrufen` } })

/** Button that calls a number. `who`: text for screen readers. */
export const DialButton = ({
  name,
  number,
  who
}: {
  readonly number: string
  readonly name?: string | undefined
  readonly who: string
}) => (
  <button
    type="button"
    class="small"
    disabled={registration.value._tag !== "Registered" || !isFree(call.value)}
    aria-label={t().dial(who)}
    onClick={() => void dial(number, name)}
  >
    <Icon name="phone" />
    {number}
  </button>
)
