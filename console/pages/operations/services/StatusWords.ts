/** Words for the status of containers and systemd units. Pure. What is not listed stays as the program wrote it. */
import { language } from "../../../lib/Language.ts"

/** States of systemd. Source: systemctl(1); systemd, src/basic/unit-def.c. */
const states: Readonly<Record<string, string>> = {
  active: "aktiv",
  activating: "startet",
  deactivating: "wird gestoppt",
  inactive: "inaktiv",
  reloading: "lädt neu",
  failed: "ausgefallen",
  dead: "gestoppt",
  "start-pre": "startet",
  start: "startet",
  "start-post": "startet",
  running: "läuft",
  exited: "beendet",
  reload: "lädt neu",
  stop: "wird gestoppt",
  "stop-sigterm": "wird gestoppt",
  "stop-sigkill": "wird gestoppt",
  "stop-post": "wird gestoppt",
  "final-sigterm": "wird gestoppt",
  "final-sigkill": "wird gestoppt",
  "auto-restart": "wartet auf den Neustart",
  waiting: "wartet",
  elapsed: "abgelaufen",
  listening: "lauscht",
  mounted: "eingehängt",
  // Containers. Source: Docker Engine API, ContainerState.
  created: "erstellt",
  configured: "erstellt",
  paused: "angehalten",
  restarting: "startet neu",
  removing: "wird entfernt",
  stopped: "gestoppt",
  stopping: "wird gestoppt",
  // Own daemons.
  ok: "in Ordnung",
  degraded: "eingeschränkt",
  down: "ausgefallen",
  "does not answer": "antwortet nicht"
}

/** Results of systemd. Source: systemd.exec(5), $SERVICE_RESULT. */
const results: Readonly<Record<string, string>> = {
  resources: "Betriebsmittel fehlten",
  protocol: "der Start wurde nicht richtig gemeldet",
  timeout: "die Zeit wurde überschritten",
  "exit-code": "mit einem Fehler beendet",
  signal: "durch ein Signal beendet",
  "core-dump": "mit Speicherabzug abgestürzt",
  watchdog: "das Lebenszeichen blieb aus",
  "exec-condition": "eine Bedingung war nicht erfüllt",
  "oom-kill": "aus Speichermangel beendet",
  "start-limit-hit": "zu oft gestartet"
}

const german = (word: string) => states[word] ?? word

/** `active (running)` of a unit, or one word, in the reader's language. */
export const statusText = (status: string): string => {
  if (language.value === "en") return status
  const unit = /^(\S+) \((\S+)\)$/.exec(status)
  return unit === null ? german(status) : `${german(unit[1]!)} (${german(unit[2]!)})`
}

/** A problem of a service in the reader's language: `result: exit-code` of a unit. */
export const problemText = (problem: string): string => {
  const result = /^result: (\S+)$/.exec(problem)?.[1]
  return language.value === "en" || result === undefined ? problem : `Ergebnis: ${results[result] ?? result}`
}
