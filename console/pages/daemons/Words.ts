import { words } from "../../lib/Language.ts"

const t = words({
  en: {
    title: "Daemons", well: "All is well.", ill: (count: number, all: number) => `${count} of ${all} not well`, unfold: "Unfold all", fold: "Fold all",
    ok: "ok", degraded: "degraded", down: "down", unconfigured: "not in use", silent: "It does not answer just now; it is probably being restarted.",
    loop: "Event loop delay", oldest: "Oldest transaction", unknown: "not known", restarts: "Restarts", noRestarts: "none", actors: "Actors", components: "Components",
    name: "Name", state: "State", since: "Since", note: "What it does", failure: "Last failure", progress: "Last progress", detail: "Detail", noFailure: "none",
    running: "running", waiting: "waits to go again", elsewhere: "elsewhere", stopped: "ended", escalated: "gave up", stalled: "stands still", placed: "once in the fleet",
    restarted: (count: number) => `restarted ${count === 1 ? "once" : `${count} times`}`
  },
  de: {
    title: "Daemons", well: "Alles ist in Ordnung.", ill: (count: number, all: number) => `${count} von ${all} nicht in Ordnung`, unfold: "Alle aufklappen", fold: "Alle zuklappen",
    ok: "in Ordnung", degraded: "eingeschränkt", down: "ausgefallen", unconfigured: "nicht in Gebrauch", silent: "Er antwortet gerade nicht; vermutlich wird er neu gestartet.",
    loop: "Verzug der Ereignisschleife", oldest: "Älteste Transaktion", unknown: "nicht bekannt", restarts: "Neustarts", noRestarts: "keine", actors: "Akteure", components: "Teile",
    name: "Name", state: "Zustand", since: "Seit", note: "Was er tut", failure: "Letzter Fehler", progress: "Letzter Fortschritt", detail: "Einzelheit", noFailure: "keiner",
    running: "läuft", waiting: "wartet auf neuen Anlauf", elsewhere: "anderswo", stopped: "beendet", escalated: "aufgegeben", stalled: "steht still", placed: "einmal im Verbund",
    restarted: (count: number) => `${count}-mal neu gestartet`
  }
})

export const daemonWords = t
