/** Titles and details of this daemon's problems. Code states them in English; core finds them by that sentence. */
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
