/** The server's errors about domains, in the page's language. */
import { words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { errorsOf } from "../telephony/Refusals.ts"

const t = words({
  en: {
    fields: "Not saved: see the marked fields.",
    domain_taken: "This domain is somebody's already.",
    not_configured: "The platform's own address is not set: SIGNALBOX_PLATFORM_IPV4.",
    plan_under_way: "A plan of this domain is being applied. Wait until it has ended.",
    record_taken: "This record is there already.",
    cname_conflict: "A CNAME stands alone at its name: nothing else may be there.",
    record_fixed: "This record is not yours to change.",
    provider_managed: "This record lies in the provider's zone: take it away by a plan.",
    not_managed: "No account at a DNS provider writes this zone.",
    plan_closed: "This plan is over: make a new one.",
    plan_stopped: "This plan changes much of the zone, and has to be applied on purpose.",
    in_use: "Domains use this account.",
    provider_failed: (why: string) => `The DNS provider: ${why}`,
    away: "The server does not answer.",
    forbidden: "You may not do this.",
    gone: "It is there no more."
  },
  de: {
    fields: "Nicht gespeichert: siehe die markierten Felder.",
    domain_taken: "Diese Domain gehört schon jemandem.",
    not_configured: "Die eigene Adresse der Plattform ist nicht gesetzt: SIGNALBOX_PLATFORM_IPV4.",
    plan_under_way: "Ein Plan dieser Domain wird gerade angewandt. Bitte warten, bis er zu Ende ist.",
    record_taken: "Diesen Eintrag gibt es schon.",
    cname_conflict: "Ein CNAME steht allein an seinem Namen: nichts anderes darf dort sein.",
    record_fixed: "Dieser Eintrag lässt sich hier nicht ändern.",
    provider_managed: "Dieser Eintrag liegt in der Zone des Anbieters: Ein Plan nimmt ihn weg.",
    not_managed: "Kein Konto bei einem DNS-Anbieter schreibt diese Zone.",
    plan_closed: "Dieser Plan ist zu Ende: Bitte einen neuen machen.",
    plan_stopped: "Dieser Plan ändert viel an der Zone und muss ausdrücklich angewandt werden.",
    in_use: "Domains benutzen dieses Konto.",
    provider_failed: (why: string) => `Der DNS-Anbieter: ${why}`,
    away: "Der Server antwortet nicht.",
    forbidden: "Das dürfen Sie nicht.",
    gone: "Das gibt es nicht mehr."
  }
})

const sentences = [
  "domain_taken",
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
