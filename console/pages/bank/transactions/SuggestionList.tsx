import { money } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { Badge } from "../../../parts/Badge.tsx"
import { minorOf } from "../Amounts.ts"
import type { Suggestion, Suggestions } from "../Shapes.ts"
import { Allocations } from "./Allocations.tsx"

const t = words({
  en: {
    title: "Suggestions",
    none: "No open invoice fits. Choose invoices, or ignore the transaction.",
    accept: "Accept",
    of: (invoices: string) => `Accept: ${invoices}`,
    rest: (amount: string) => `${amount} would stay unassigned`
  },
  de: {
    title: "Vorschläge",
    none: "Keine offene Rechnung passt. Wählen Sie Rechnungen, oder ignorieren Sie den Umsatz.",
    accept: "Annehmen",
    of: (invoices: string) => `Annehmen: ${invoices}`,
    rest: (amount: string) => `${amount} blieben nicht zugewiesen`
  }
})

/** Confidence from which a match needs no person. Unit: percent. Source: interface document 2 §8. */
const sure = 85

const tone = (confidence: number) => (confidence >= sure ? "success" : confidence >= 60 ? "info" : "quiet")

/** Suggestions of a transaction, best first, with their reasons. */
export const SuggestionList = ({
  accept,
  busy,
  found
}: {
  readonly found: Suggestions
  /** Undefined for users who may not decide. */
  readonly accept: ((position: number) => void) | undefined
  readonly busy: boolean
}) => (
  <div class="suggestion-list">
    <h3 id="suggestions-title">{t().title}</h3>
    {found.recognised === null ? null : <p class="remark">{found.recognised.text}</p>}
    {found.suggestions.length === 0 ? (
      found.recognised === null ? (
        <p class="soft">{t().none}</p>
      ) : null
    ) : (
      <ol aria-labelledby="suggestions-title">
        {found.suggestions.map((suggestion) => (
          <li key={suggestion.position}>
            <One suggestion={suggestion} currency={found.currency} accept={accept} busy={busy} />
          </li>
        ))}
      </ol>
    )}
  </div>
)

const One = ({
  accept,
  busy,
  currency,
  suggestion
}: {
  readonly suggestion: Suggestion
  readonly currency: string
  readonly accept: ((position: number) => void) | undefined
  readonly busy: boolean
}) => (
  <>
    <div class="suggestion-head">
      <Badge tone={tone(suggestion.confidence)}>{suggestion.confidence} %</Badge>
      {accept === undefined ? null : (
        <button
          type="button"
          class="small"
          disabled={busy}
          aria-label={t().of(suggestion.allocations.map(({ number }) => number).join(", "))}
          onClick={() => accept(suggestion.position)}
        >
          {t().accept}
        </button>
      )}
    </div>
    <Allocations parts={suggestion.allocations} open />
    <p class="reasons">{suggestion.reasons.map(({ text }) => text).join(", ")}</p>
    {minorOf(suggestion.unassigned, currency) === 0 ? null : (
      <small>{t().rest(money(suggestion.unassigned, currency))}</small>
    )}
  </>
)
