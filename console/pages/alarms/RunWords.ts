/** Texts of a run's page. */
import { words } from "../../lib/Language.ts"
import type { Attempt, Target } from "./Story.ts"

const t = words({
  en: {
    title: "Run",
    alarm: "Alarm",
    back: "All alarms",
    timeLine: "Time line",
    story: "What happened",
    facts: "The run",
    body: "Text of the message",
    subject: "Subject",
    state: "State",
    severity: "Severity",
    workflow: "Workflow",
    sender: "From",
    source: "Came in by",
    received: "Received",
    finished: "Ended",
    took: "Took",
    reached: "Reached",
    retry: "Repeats",
    acknowledged: "Acknowledged",
    failures: "Not reached",
    failedStep: (name: string) => `Step “${name}”`,
    reason: "Reason",
    event: "Event",
    operator: "a test or the command line",
    of: (delivered: number, all: number) => `${delivered} of ${all}`,
    repeats: (attempts: number, minutes: number) =>
      `${attempts} attempts, ${minutes} ${minutes === 1 ? "minute" : "minutes"} apart`,
    trigger: "Alarm and its steps",
    retryDue: "next attempt due",
    receivedBy: (source: string, sender: string) => `Came in by ${source} from ${sender}`,
    step: (name: string, state: string) => `Step “${name}”: ${state}`,
    attemptAt: (number: number, target: string) => `Attempt ${number} at ${target}`,
    due: (target: string, when: string) => `${target} is tried again ${when}`,
    dueNow: (target: string) => `${target} is tried again now`,
    takenOn: (by: string) => `Acknowledged by ${by}`,
    ended: "The run ended",
    answer: (text: string) => `Answer: ${text}`,
    fallback: (position: number) => `stands in for target ${position}`,
    second: "may have arrived twice",
    tries: (number: number) => `${number} tries`,
    summary: (targets: number, attempts: number) =>
      `Time line of ${targets} targets with ${attempts} attempts; the list below says the same`
  },
  de: {
    title: "Lauf",
    alarm: "Alarm",
    back: "Alle Alarme",
    timeLine: "Zeitlinie",
    story: "Was geschah",
    facts: "Der Lauf",
    body: "Text der Nachricht",
    subject: "Betreff",
    state: "Zustand",
    severity: "Stufe",
    workflow: "Workflow",
    sender: "Von",
    source: "Eingegangen über",
    received: "Eingang",
    finished: "Ende",
    took: "Dauer",
    reached: "Erreicht",
    retry: "Wiederholungen",
    acknowledged: "Quittiert",
    failures: "Nicht erreicht",
    failedStep: (name: string) => `Schritt „${name}“`,
    reason: "Grund",
    event: "Ereignis",
    operator: "einen Test oder die Kommandozeile",
    of: (delivered: number, all: number) => `${delivered} von ${all}`,
    repeats: (attempts: number, minutes: number) =>
      `${attempts} Versuche im Abstand von ${minutes} ${minutes === 1 ? "Minute" : "Minuten"}`,
    trigger: "Alarm und Schritte",
    retryDue: "nächster Versuch fällig",
    receivedBy: (source: string, sender: string) => `Eingegangen über ${source} von ${sender}`,
    step: (name: string, state: string) => `Schritt „${name}“: ${state}`,
    attemptAt: (number: number, target: string) => `Versuch ${number} an ${target}`,
    due: (target: string, when: string) => `${target} wird ${when} erneut versucht`,
    dueNow: (target: string) => `${target} wird jetzt erneut versucht`,
    takenOn: (by: string) => `Quittiert von ${by}`,
    ended: "Der Lauf ist zu Ende",
    answer: (text: string) => `Antwort: ${text}`,
    fallback: (position: number) => `Ersatz für Ziel ${position}`,
    second: "kann doppelt angekommen sein",
    tries: (number: number) => `${number} Versuche`,
    summary: (targets: number, attempts: number) =>
      `Zeitlinie von ${targets} Zielen mit ${attempts} Versuchen; die Liste darunter sagt dasselbe`
  }
})

export const runWords = t

const attempts = words({
  en: {
    attempting: "under way",
    delivered: "delivered",
    failed: "failed",
    uncertain: "no answer, may have arrived",
    interrupted: "interrupted"
  },
  de: {
    attempting: "läuft",
    delivered: "zugestellt",
    failed: "fehlgeschlagen",
    uncertain: "keine Antwort, vielleicht angekommen",
    interrupted: "unterbrochen"
  }
})

export const attemptTitle = (state: Attempt["state"]): string => attempts()[state]

const targets = words({
  en: {
    pending: "waits",
    attempting: "under way",
    delivered: "delivered",
    failed: "failed",
    uncertain: "in doubt",
    suppressed: "stopped"
  },
  de: {
    pending: "wartet",
    attempting: "läuft",
    delivered: "zugestellt",
    failed: "fehlgeschlagen",
    uncertain: "ungewiss",
    suppressed: "angehalten"
  }
})

export const targetTitle = (state: Target["state"]): string => targets()[state]

const steps = words({
  en: { done: "done", running: "under way", failed: "failed", skipped: "left out" },
  de: { done: "erledigt", running: "läuft", failed: "fehlgeschlagen", skipped: "ausgelassen" }
})

export const stepTitle = (state: "done" | "running" | "failed" | "skipped"): string => steps()[state]
