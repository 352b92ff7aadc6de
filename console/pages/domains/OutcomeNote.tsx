import { words } from "../../lib/Language.ts"
import type { Outcome } from "./Shapes.ts"
import { At } from "../../parts/When.tsx"

const t = words({
  en: {
    none: "No account writes this zone: write the records at the provider by hand.",
    queued: "The last change waits for the provider.",
    planned: "The last change is written in a moment.",
    applying: "The last change is being written.",
    applied: "The last change is written at the provider.",
    unchanged: "The zone at the provider has these records.",
    not_applied: "The last change is not written.",
    failed: "The last change could not be written. The plan below tells why.",
    no_account: "",
    no_adapter: "",
    discarded: "Its plan was dropped.",
    no_credentials: "The account has no credentials.",
    planning: "The zone is being read.",
    plan_under_way: "Another plan is being applied first.",
    provider_unreachable: "The provider cannot be reached.",
    rate_limited: "The provider accepts no more requests for now.",
    provider_refused: "The provider refuses the account.",
    foreign_records: "It would change records of third parties: read the plan below and apply it.",
    large_change: "It changes a large part of the zone: read the plan below and apply it.",
    approval_required: "Plans are applied on request here: read the plan below and apply it.",
    next: "Next attempt:",
    foreign: "Records of third parties"
  },
  de: {
    none: "Kein Konto schreibt diese Zone: Die Einträge beim Anbieter von Hand eintragen.",
    queued: "Die letzte Änderung wartet auf den Anbieter.",
    planned: "Die letzte Änderung wird gleich geschrieben.",
    applying: "Die letzte Änderung wird gerade geschrieben.",
    applied: "Die letzte Änderung steht beim Anbieter.",
    unchanged: "Die Zone beim Anbieter hat diese Einträge.",
    not_applied: "Die letzte Änderung ist nicht geschrieben.",
    failed: "Die letzte Änderung ließ sich nicht schreiben. Der Plan unten sagt, warum.",
    no_account: "",
    no_adapter: "",
    discarded: "Ihr Plan wurde verworfen.",
    no_credentials: "Dem Konto fehlen die Zugangsdaten.",
    planning: "Die Zone wird gelesen.",
    plan_under_way: "Zuerst wird ein anderer Plan angewandt.",
    provider_unreachable: "Der Anbieter ist nicht erreichbar.",
    rate_limited: "Der Anbieter nimmt zurzeit keine weiteren Anfragen an.",
    provider_refused: "Der Anbieter lehnt das Konto ab.",
    foreign_records: "Sie würde Einträge anderer ändern: Bitte den Plan unten lesen und anwenden.",
    large_change: "Sie ändert einen großen Teil der Zone: Bitte den Plan unten lesen und anwenden.",
    approval_required: "Pläne werden hier erst auf Wunsch angewandt: Bitte den Plan unten lesen und anwenden.",
    next: "Nächster Versuch:",
    foreign: "Einträge anderer"
  }
})

/** What became of the last change of the records at the provider. */
export const OutcomeNote = ({ of }: { readonly of: Outcome }) => {
  const isTrouble = of.state === "failed" || of.state === "not_applied"
  return (
    <div class={isTrouble ? "trouble" : "soft"} role="status">
      <p>
        {t()[of.state]} {of.reason === null ? null : t()[of.reason]}
        {of.state === "queued" && of.at !== null ? (
          <>
            {" "}
            {t().next}{" "}
            <time dateTime={of.at}>
              <At at={of.at} />
            </time>
          </>
        ) : null}
      </p>
      {of.detail === null ? null : <p lang="en">{of.detail}</p>}
      {of.foreign.length === 0 ? null : (
        <ul lang="en" aria-label={t().foreign}>
          {of.foreign.map(({ code, detail, name, type }) => (
            <li key={`${code} ${type} ${name}`}>{detail}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
