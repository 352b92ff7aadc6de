/** German words for the states and errors of systemd and Postgres. Pure. What is not listed stays as it was written. */

/** ActiveState. Source: systemctl(1). */
export const unitStates: Readonly<Record<string, string>> = {
  active: "aktiv",
  reloading: "lädt neu",
  refreshing: "lädt neu",
  inactive: "inaktiv",
  failed: "ausgefallen",
  activating: "startet",
  deactivating: "wird gestoppt",
  maintenance: "in Wartung"
}

const stops = "wird gestoppt"

/** SubState of services, sockets, timers and mounts. Source: systemd, src/basic/unit-def.c. */
export const unitSubStates: Readonly<Record<string, string>> = {
  dead: "gestoppt",
  condition: "prüft eine Bedingung",
  "start-pre": "startet",
  start: "startet",
  "start-post": "startet",
  running: "läuft",
  exited: "beendet",
  reload: "lädt neu",
  stop: stops,
  "stop-watchdog": stops,
  "stop-sigterm": stops,
  "stop-sigkill": stops,
  "stop-post": stops,
  "final-watchdog": stops,
  "final-sigterm": stops,
  "final-sigkill": stops,
  failed: "ausgefallen",
  "auto-restart": "wartet auf den Neustart",
  "auto-restart-queued": "wartet auf den Neustart",
  cleaning: "räumt auf",
  waiting: "wartet",
  elapsed: "abgelaufen",
  listening: "lauscht",
  mounting: "wird eingehängt",
  mounted: "eingehängt",
  unmounting: "wird ausgehängt",
  plugged: "angeschlossen",
  active: "aktiv"
}

/** Result. Source: systemd.exec(5), $SERVICE_RESULT. */
export const unitResults: Readonly<Record<string, string>> = {
  success: "ohne Fehler",
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

const unnamed = "der Name des Servers ist nicht auflösbar"
const broken = "die Verbindung wurde unterbrochen"

/** Why Postgres does not answer. Source: Postgres manual, "Error Codes"; errno(3); getaddrinfo(3). */
export const postgresFaults: Readonly<Record<string, string>> = {
  "08003": broken,
  "08006": broken,
  "28000": "die Anmeldung wird abgelehnt",
  "28P01": "das Passwort ist falsch",
  "3D000": "die Datenbank gibt es nicht",
  "53100": "der Datenträger ist voll",
  "53200": "der Server hat keinen Speicher mehr",
  "53300": "alle Verbindungen sind belegt",
  "57014": "die Abfrage wurde abgebrochen",
  "57P01": "der Server wird beendet",
  "57P02": "der Server ist abgestürzt und startet neu",
  "57P03": "der Server startet oder wird beendet",
  ECONNREFUSED: "niemand nimmt Verbindungen an",
  ECONNRESET: broken,
  EPIPE: broken,
  ENOENT: "den Socket gibt es nicht",
  EACCES: "der Socket darf nicht geöffnet werden",
  ENOTFOUND: unnamed,
  EAI_AGAIN: unnamed,
  ETIMEDOUT: "keine Antwort in der Zeit",
  EHOSTUNREACH: "der Server ist nicht erreichbar",
  ENETUNREACH: "der Server ist nicht erreichbar"
}
