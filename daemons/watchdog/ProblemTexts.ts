/**
 * Titles and details of this daemon's problems, and faults of fields. Code states them in English; core finds them by
 * that sentence.
 */
import { shippedTexts } from "#core/words/ShippedTexts.ts"

shippedTexts("watchdog.problems", {
  en: {
    crowdsecFailed: "CrowdSec did not take the change",
    scheduleTaken: "Another schedule has this name",
    repositoryAway: "The backup repository cannot be read",
    checkTaken: "Another check has this name",
    checkBuiltIn: "This check is built in; disable it instead",
    tooManyChecks: "There are too many checks",
    checkDisabled: "The check is disabled",
    notRestartable: "This service may not be restarted",
    sourceAway: "The source of this service does not answer",
    noLog: "The log of this service cannot be read",
    tooManyFollowers: "Too many logs are followed at once",
    alertClosed: "This alert is closed",
    silenceOver: "This silence is over",
    tooManySilences: "Too many silences",
    crowdsecBanned: "CrowdSec banned the address, and SIGNALBOX_CROWDSEC_MACHINE is not set. Nothing was changed.",
    ownUnchanged: "{problem}. Our own bans were not changed.",
    noExemption: "The exemption does not exist.",
    noJob: "The job does not exist.",
    noSchedule: "The schedule does not exist.",
    noRepository: "There is no backup repository.",
    checkLimit: "At most {count} checks can be added.",
    builtInFixed: "The definition and the group of a built-in check cannot be changed.",
    followLimit: "At most {count} logs can be followed at once.",
    noService: "No service has this name.",
    addRestartable: "{name} may not be restarted: add it to {setting}.",
    noUnit: "This daemon does not run as a unit of systemd.",
    unitNotListed: "WATCHDOG_UNITS does not list this unit.",
    noAlert: "There is no such alert.",
    noMessage: "There is no such message.",
    noSilence: "There is no such silence.",
    noHeartbeat: "No heartbeat of this name is expected.",
    noAcknowledgement: "It needs no acknowledgement.",
    endFirst: "End some of them first.",
    createNew: "Create a new one."
  },
  de: {
    crowdsecFailed: "CrowdSec hat die Änderung nicht übernommen",
    scheduleTaken: "Diesen Namen hat schon ein anderer Zeitplan",
    repositoryAway: "Das Repository der Sicherungen ist nicht lesbar",
    checkTaken: "Diesen Namen hat schon eine andere Prüfung",
    checkBuiltIn: "Diese Prüfung ist eingebaut; schalten Sie sie stattdessen ab",
    tooManyChecks: "Es gibt zu viele Prüfungen",
    checkDisabled: "Die Prüfung ist abgeschaltet",
    notRestartable: "Dieser Dienst darf nicht neu gestartet werden",
    sourceAway: "Die Quelle dieses Dienstes antwortet nicht",
    noLog: "Das Protokoll dieses Dienstes ist nicht lesbar",
    tooManyFollowers: "Zu viele Protokolle werden zugleich verfolgt",
    alertClosed: "Diese Meldung ist abgeschlossen",
    silenceOver: "Diese Stummschaltung ist vorbei",
    tooManySilences: "Zu viele Stummschaltungen",
    crowdsecBanned:
      "CrowdSec hat die Adresse gesperrt, und SIGNALBOX_CROWDSEC_MACHINE ist nicht gesetzt. Nichts wurde geändert.",
    ownUnchanged: "{problem}. Unsere eigenen Sperren wurden nicht geändert.",
    noExemption: "Diese Ausnahme gibt es nicht.",
    noJob: "Diesen Auftrag gibt es nicht.",
    noSchedule: "Diesen Zeitplan gibt es nicht.",
    noRepository: "Es gibt kein Repository für Sicherungen.",
    checkLimit: "Höchstens {count} Prüfungen lassen sich hinzufügen.",
    builtInFixed: "Definition und Gruppe einer eingebauten Prüfung lassen sich nicht ändern.",
    followLimit: "Höchstens {count} Protokolle lassen sich zugleich verfolgen.",
    noService: "Diesen Dienst gibt es nicht.",
    addRestartable: "{name} darf nicht neu gestartet werden: tragen Sie es in {setting} ein.",
    noUnit: "Dieser Dienst läuft nicht als Einheit von systemd.",
    unitNotListed: "Diese Einheit steht nicht in WATCHDOG_UNITS.",
    noAlert: "Diese Meldung gibt es nicht.",
    noMessage: "Diese Nachricht gibt es nicht.",
    noSilence: "Diese Stummschaltung gibt es nicht.",
    noHeartbeat: "Ein Lebenszeichen dieses Namens wird nicht erwartet.",
    noAcknowledgement: "Sie braucht keine Bestätigung.",
    endFirst: "Beenden Sie erst einige davon.",
    createNew: "Legen Sie eine neue an."
  }
})

shippedTexts("watchdog.fields", {
  en: {
    mustHaveKeyPattern: "must have key_pattern or group_pattern",
    mustMostDaysAfter: "must be at most {days} days after the start",
    mustHaveFiveFields: "must have the five fields of a cron expression, such as {such}",
    mustLeaveMinutesBetween: "must leave {least} minutes between two backups",
    tooWideMost: "is too wide: at most {range}",
    addressesAreExemptAlready: "{count} addresses are exempt already; end one first",
    must0Seconds: "must be 0 or {least} to {most} seconds",
    mustNameLettersDigits: "must be a name of letters, digits, dots and dashes",
    mustNotBeBelowWarning: "must not be below the warning threshold",
    mustNotBeAboveWarning: "must not be above the warning threshold",
    mustNameFileCommand: "must be the name of a file in the command folder",
    mustName: "must be a name such as {such}",
    mustHostHostPort: "must be a host, or host:port"
  },
  de: {
    mustHaveKeyPattern: "braucht key_pattern oder group_pattern",
    mustMostDaysAfter: "darf höchstens {days} Tage nach dem Anfang liegen",
    mustHaveFiveFields: "braucht die fünf Felder eines Cron-Ausdrucks, etwa {such}",
    mustLeaveMinutesBetween: "muss {least} Minuten zwischen zwei Sicherungen lassen",
    tooWideMost: "ist zu weit: höchstens {range}",
    addressesAreExemptAlready: "{count} Adressen sind schon ausgenommen; beenden Sie erst eine Ausnahme",
    must0Seconds: "muss 0 sein oder {least} bis {most} Sekunden",
    mustNameLettersDigits: "muss ein Name aus Buchstaben, Ziffern, Punkten und Bindestrichen sein",
    mustNotBeBelowWarning: "darf nicht unter der Warnschwelle liegen",
    mustNotBeAboveWarning: "darf nicht über der Warnschwelle liegen",
    mustNameFileCommand: "muss der Name einer Datei im Ordner der Befehle sein",
    mustName: "muss ein Name sein, etwa {such}",
    mustHostHostPort: "muss ein Host sein, oder host:port"
  }
})
