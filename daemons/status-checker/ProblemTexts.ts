/** Titles and details of this daemon's problems. Code states them in English; core finds them by that sentence. */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("status-checker.problems", {
  en: {
    alreadyPublished: "This incident is published",
    alreadyResolved: "This incident is resolved",
    notPublished: "This incident is a draft",
    maintenanceOver: "This maintenance is over",
    noMail: "This status page does not send mail",
    noSubscriber: "There is no such subscriber.",
    noIncident: "There is no such incident.",
    draftUpdates: "Drafts have no updates: edit it, or publish it first.",
    draftResolve: "Drafts cannot be resolved: delete it instead.",
    sendUpdate: "Send an update instead.",
    resolveInstead: "Published incidents cannot be deleted: resolve it.",
    noMaintenance: "There is no such maintenance.",
    planNewCancelled: "It was cancelled: plan a new one.",
    planNewOver: "It is over: plan a new one.",
    providerOnly: "Only the provider manages the status page.",
    mailsWait: "Too many mails wait to be sent.",
    noSubscriptions: "Subscriptions are not available at the moment.",
    tooManyComponents: "There are too many components",
    componentLimit: "At most {count} are allowed.",
    otherComponentId: "Choose another id.",
    noComponent: "There is no such component."
  },
  de: {
    alreadyPublished: "Diese Störung ist veröffentlicht",
    alreadyResolved: "Diese Störung ist behoben",
    notPublished: "Diese Störung ist ein Entwurf",
    maintenanceOver: "Diese Wartung ist vorbei",
    noMail: "Diese Statusseite sendet keine Mails",
    noSubscriber: "Diesen Abonnenten gibt es nicht.",
    noIncident: "Diese Störung gibt es nicht.",
    draftUpdates: "Entwürfe haben keine Meldungen: ändern Sie ihn, oder veröffentlichen Sie ihn erst.",
    draftResolve: "Entwürfe lassen sich nicht beheben: löschen Sie ihn stattdessen.",
    sendUpdate: "Schreiben Sie stattdessen eine Meldung.",
    resolveInstead: "Veröffentlichte Störungen lassen sich nicht löschen: melden Sie sie als behoben.",
    noMaintenance: "Diese Wartung gibt es nicht.",
    planNewCancelled: "Sie wurde abgesagt: planen Sie eine neue.",
    planNewOver: "Sie ist vorbei: planen Sie eine neue.",
    providerOnly: "Nur der Anbieter verwaltet die Statusseite.",
    mailsWait: "Zu viele Mails warten auf den Versand.",
    noSubscriptions: "Abonnements sind zurzeit nicht möglich.",
    tooManyComponents: "Es gibt zu viele Komponenten",
    componentLimit: "Höchstens {count} sind erlaubt.",
    otherComponentId: "Wählen Sie eine andere Kennung.",
    noComponent: "Diese Komponente gibt es nicht."
  }
})
