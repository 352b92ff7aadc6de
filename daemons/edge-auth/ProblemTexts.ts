/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { long, shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("edge-auth.problems", {
  en: {
    unnamedRequest:
      "The proxy did not name the original request: send X-Forwarded-Host and X-Forwarded-Uri, or X-Original-URL.",
    databaseAway: "The database cannot be reached, so no request may pass now.",
    cannotCheckFactor: "The second factor cannot be checked now.",
    userExists: "A user of edge-auth already has this address",
    lastAdmin: "This is the last active administrator of edge-auth",
    routeTaken: "Host and path already have a route",
    passwordsBusy: "Too many passwords are being set; try again."
  },
  de: {
    unnamedRequest: long(
      "Der Proxy nennt die ursprüngliche Anfrage nicht: senden Sie X-Forwarded-Host und X-Forwarded-Uri ",
      "oder X-Original-URL."
    ),
    databaseAway: "Die Datenbank ist nicht erreichbar, darum darf jetzt keine Anfrage durch.",
    cannotCheckFactor: "Der zweite Faktor lässt sich zurzeit nicht prüfen.",
    userExists: "Diese Adresse hat bei edge-auth schon jemand",
    lastAdmin: "Das ist das letzte aktive Administrationskonto von edge-auth",
    routeTaken: "Zu Host und Pfad gibt es schon eine Route",
    passwordsBusy: "Zu viele Passwörter werden gerade gesetzt; versuchen Sie es noch einmal."
  }
})

shippedTexts("edge-auth.fields", {
  en: {
    mustHostPathBegin: "must be a host such as {such}, and the path begin with /",
    mustDomainLowerCase: "must be a domain in lower case such as {such}, and not a public suffix such as {suffix}",
    mustPlainPath: "must be a plain path such as {such}"
  },
  de: {
    mustHostPathBegin: "muss ein Host sein, etwa {such}; der Pfad beginnt mit /",
    mustDomainLowerCase: long(
      "muss eine Domain in Kleinbuchstaben sein, etwa {such}, und keine öffentliche Endung wie ",
      "{suffix}"
    ),
    mustPlainPath: "muss ein einfacher Pfad sein, etwa {such}"
  }
})
