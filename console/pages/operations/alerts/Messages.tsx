import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { useNow } from "../../../parts/Now.ts"
import { When } from "../../../parts/When.tsx"
import { alertWords, deliveryTones, type Message, messageTitle } from "./Words.ts"

const t = words({
  en: { several: (count: number) => `about ${count} alerts`, attempts: (count: number) => `${count} attempts` },
  de: { several: (count: number) => `über ${count} Meldungen`, attempts: (count: number) => `${count} Versuche` }
})

/** Messages to people, with the outcome by each way. */
export const Messages = ({ label, of }: { readonly label: string; readonly of: ReadonlyArray<Message> }) => {
  const now = useNow(10_000)
  return (
    <ul class="rows" aria-label={label}>
      {of.map((message) => (
        <li key={message.id}>
          <div class="ops-line">
            <strong>{messageTitle(message.kind)}</strong>
            <When at={message.created_at} now={now} />
            {message.alerts > 1 ? <span class="soft">{t().several(message.alerts)}</span> : null}
          </div>
          <ul class="ops-deliveries">
            {message.deliveries.map((one) => (
              <li key={one.way}>
                <Badge tone={deliveryTones[one.state]}>
                  {alertWords()[one.way]}: {alertWords()[one.state]}
                </Badge>{" "}
                {one.attempts > 1 ? <small>{t().attempts(one.attempts)}</small> : null}{" "}
                {one.problem === null ? null : <small class="field-error">{one.problem}</small>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
