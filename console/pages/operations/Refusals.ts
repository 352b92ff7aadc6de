/** The server's errors about operations, in the page's language. */
import { words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { refusedBy } from "../../parts/Refused.tsx"
import { told as toldOfFields } from "../telephony/Refusals.ts"

const t = words({
  en: {
    schedule_name_taken: "Another schedule has this name.",
    not_configured: (settings: string) => `This is not set up on the server yet. Settings: ${settings}.`,
    repository_unavailable: (why: string) => `The backup repository cannot be read: ${why}`,
    crowdsec_failed: (why: string) => `CrowdSec did not take the change, so nothing was changed: ${why}`,
    alert_closed: "This alert is over already.",
    silence_over: "This silence is over already.",
    too_many_silences: "There are too many silences. End some first.",
    check_name_taken: "Another check has this name.",
    check_is_built_in: "This check was found on the machine. It can be switched off, but not changed or deleted.",
    too_many_checks: "There are too many checks. Delete some first.",
    check_disabled: "The check is switched off.",
    not_restartable: "This service is not on the list of what may be restarted (WATCHDOG_RESTARTABLE).",
    source_unavailable: (why: string) => `The source of this service does not answer: ${why}`,
    no_log: "The log of this service cannot be read.",
    too_many_followers: "Too many logs are being followed. Stop following another one first.",
    maintenance_over: "This maintenance is over already.",
    provider_only: "Only users of the provider may do this.",
    edge_user_exists: "A user of edge-auth has this address already.",
    last_edge_admin: "This is the last active administrator of edge-auth. Make another one first.",
    route_taken: "This host and path have a route already.",
    id_taken: "This id is taken. Choose another one.",
    changed_since: "Somebody changed this in the meantime. Load the page again.",
    already_published: "This incident is public already.",
    already_resolved: "This incident is resolved already.",
    not_published: "This incident is a draft. Publish it first.",
    too_many_components: "There are too many components. Delete some first.",
    too_many_requests: "That was tried many times. Wait a little and try again."
  },
  de: {
    schedule_name_taken: "Ein anderer Zeitplan hat diesen Namen.",
    not_configured: (settings: string) => `Das ist auf dem Server noch nicht eingerichtet. Einstellungen: ${settings}.`,
    repository_unavailable: (why: string) => `Das Backup-Repository lässt sich nicht lesen: ${why}`,
    crowdsec_failed: (why: string) => `CrowdSec nahm die Änderung nicht an, deshalb wurde nichts geändert: ${why}`,
    alert_closed: "Diese Meldung ist schon vorbei.",
    silence_over: "Diese Stummschaltung ist schon vorbei.",
    too_many_silences: "Es gibt zu viele Stummschaltungen. Beenden Sie erst einige.",
    check_name_taken: "Eine andere Prüfung hat diesen Namen.",
    check_is_built_in:
      "Diese Prüfung wurde auf der Maschine gefunden. Sie lässt sich ausschalten, aber nicht ändern oder löschen.",
    too_many_checks: "Es gibt zu viele Prüfungen. Löschen Sie erst einige.",
    check_disabled: "Die Prüfung ist ausgeschaltet.",
    not_restartable: "Dieser Dienst steht nicht auf der Liste derer, die neu starten dürfen (WATCHDOG_RESTARTABLE).",
    source_unavailable: (why: string) => `Die Quelle dieses Dienstes antwortet nicht: ${why}`,
    no_log: "Das Log dieses Dienstes lässt sich nicht lesen.",
    too_many_followers: "Zu viele Logs werden mitgelesen. Beenden Sie erst ein anderes.",
    maintenance_over: "Diese Wartung ist schon vorbei.",
    provider_only: "Das dürfen nur Benutzer des Betreibers.",
    edge_user_exists: "Diese Adresse hat bei edge-auth schon jemand.",
    last_edge_admin:
      "Das ist das letzte aktive Administrationskonto von edge-auth. Machen Sie zuerst ein anderes dazu.",
    route_taken: "Zu diesem Host und Pfad gibt es schon eine Route.",
    id_taken: "Diese Kennung ist vergeben. Wählen Sie eine andere.",
    changed_since: "Jemand hat das inzwischen geändert. Laden Sie die Seite neu.",
    already_published: "Diese Störung ist schon veröffentlicht.",
    already_resolved: "Diese Störung ist schon behoben.",
    not_published: "Diese Störung ist ein Entwurf. Veröffentlichen Sie sie zuerst.",
    too_many_components: "Es gibt zu viele Komponenten. Löschen Sie erst einige.",
    too_many_requests: "Das wurde sehr oft versucht. Warten Sie etwas und versuchen Sie es noch einmal."
  }
})

/** Error text for a whole form or an action. `shown`: the fields of the form, which show their own errors. */
export const told = (problem: Problem, shown: ReadonlyArray<string> = []): string => {
  const all = t()
  const known = problem.code in all ? all[problem.code as keyof typeof all] : undefined
  if (known === undefined) return toldOfFields(problem, shown)
  if (typeof known === "string") return known
  const settings = problem.code === "not_configured" ? problem.fields["settings"] : undefined
  return known(Array.isArray(settings) ? settings.join(", ") : problem.message)
}

/** Shows the error of an action. */
export const Refused = refusedBy(told)
