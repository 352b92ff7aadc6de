import { money, moment } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { minorOf } from "../Amounts.ts"
import type { Suggestions } from "../Shapes.ts"
import { Allocations } from "./Allocations.tsx"

const t = words({
  en: {
    auto: (confidence: string) => `Matched automatically${confidence}`,
    manual: "Matched by hand",
    ignored: "Ignored",
    by: (who: string, when: string) => `${who}, ${when}`,
    system: "by itself",
    person: "by a person",
    unassigned: (amount: string) => `${amount} is not assigned to an invoice.`,
    payment: "Open the payment"
  },
  de: {
    auto: (confidence: string) => `Automatisch zugeordnet${confidence}`,
    manual: "Von Hand zugeordnet",
    ignored: "Ignoriert",
    by: (who: string, when: string) => `${who}, ${when}`,
    system: "von selbst",
    person: "von einer Person",
    unassigned: (amount: string) => `${amount} sind keiner Rechnung zugewiesen.`,
    payment: "Zahlung öffnen"
  }
})

/** The decision about a transaction that is in force. */
export const Decision = ({
  decision,
  found
}: {
  readonly found: Suggestions
  readonly decision: NonNullable<Suggestions["decision"]>
}) => (
  <div class="suggestion-list">
    <h3>
      {decision.kind === "auto"
        ? t().auto(decision.confidence === null ? "" : ` (${decision.confidence} %)`)
        : t()[decision.kind]}
    </h3>
    <small>{t().by(decision.decided_by === "system" ? t().system : t().person, moment(decision.decided_at))}</small>
    {decision.allocations.length === 0 ? null : <Allocations parts={decision.allocations} open={false} />}
    {found.ignored_text === null ? null : <p>{found.ignored_text}</p>}
    {decision.reasons.length === 0 ? null : (
      <p class="reasons">{decision.reasons.map(({ text }) => text).join(", ")}</p>
    )}
    {decision.note === null ? null : <p>{decision.note}</p>}
    {decision.payment_id !== null && minorOf(found.unassigned, found.currency) !== 0 ? (
      <p>{t().unassigned(money(found.unassigned, found.currency))}</p>
    ) : null}
    {decision.payment_id === null ? null : (
      <p>
        <a href={`/console/bank/payments/${decision.payment_id}`}>{t().payment}</a>
      </p>
    )}
  </div>
)
