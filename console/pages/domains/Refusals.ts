/** The server's errors about domains, in the page's language. */
import { words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { errorsOf } from "../telephony/Refusals.ts"

const t = words({
  en: {
    fields: "Not saved: see the marked fields.",
    domain_taken: "This domain is taken.",
    domain_reserved: "This name belongs to the provider.",
    too_many_claims: "Too many domains wait for proof. Prove or delete some first.",
    domain_pending: "The ownership of the domain is not proven yet.",
    not_configured: "The address of the platform is not set: SIGNALBOX_PLATFORM_IPV4.",
    plan_under_way: "A plan of this domain is being applied. Wait until the plan has ended.",
    record_taken: "This record exists already.",
    cname_conflict: "A CNAME must be the only record of its name.",
    record_fixed: "This record cannot be changed here.",
    provider_managed: "This record is in the provider's zone: delete it by a plan.",
    not_managed: "No account at a DNS provider writes this zone.",
    plan_closed: "This plan is closed: make a new plan.",
    plan_stopped: "This plan changes a large part of the zone. Confirm to apply it.",
    in_use: "Domains use this account.",
    provider_failed: (why: string) => `The DNS provider: ${why}`,
    away: "The server does not answer.",
    forbidden: "You may not do this.",
    gone: "It no longer exists."
  },
  de: {
    fields: "Nicht gespeichert: siehe die markierten Felder.",
    domain_taken: "Diese Domain gehört schon jemandem.",
    domain_reserved: "Dieser Name gehört dem Betreiber.",
    too_many_claims: "Zu viele Domains warten auf einen Nachweis. Weisen Sie erst einige nach, oder löschen Sie sie.",
    domain_pending: "Es ist noch nicht nachgewiesen, wem die Domain gehört.",
    not_configured: "Die eigene Adresse der Plattform ist nicht gesetzt: SIGNALBOX_PLATFORM_IPV4.",
    plan_under_way: "Ein Plan dieser Domain wird gerade angewandt. Bitte warten, bis er zu Ende ist.",
    record_taken: "Diesen Eintrag gibt es schon.",
    cname_conflict: "Ein CNAME muss der einzige Eintrag seines Namens sein.",
    record_fixed: "Dieser Eintrag lässt sich hier nicht ändern.",
    provider_managed: "Dieser Eintrag liegt in der Zone des Anbieters: Löschen Sie ihn mit einem Plan.",
    not_managed: "Kein Konto bei einem DNS-Anbieter schreibt diese Zone.",
    plan_closed: "Dieser Plan ist abgeschlossen: Bitte einen neuen erstellen.",
    plan_stopped: "Dieser Plan ändert einen großen Teil der Zone. Bestätigen Sie, um ihn anzuwenden.",
    in_use: "Domains benutzen dieses Konto.",
    provider_failed: (why: string) => `Der DNS-Anbieter: ${why}`,
    away: "Der Server antwortet nicht.",
    forbidden: "Das dürfen Sie nicht.",
    gone: "Das gibt es nicht mehr."
  }
})

const sentences = [
  "domain_taken",
  "domain_reserved",
  "too_many_claims",
  "domain_pending",
  "not_configured",
  "plan_under_way",
  "record_taken",
  "cname_conflict",
  "record_fixed",
  "provider_managed",
  "not_managed",
  "plan_closed",
  "plan_stopped",
  "in_use"
] as const

/** Error text for the whole form; errors of single fields are shown at the fields. */
export const told = (problem: Problem): string => {
  if (problem.status === 0) return t().away
  if (problem.status === 403) return t().forbidden
  if (problem.status === 404) return t().gone
  if (errorsOf(problem).size > 0) return t().fields
  if (problem.code === "provider_failed") return t().provider_failed(problem.message)
  const known = sentences.find((code) => code === problem.code)
  return known === undefined ? problem.message : t()[known]
}
