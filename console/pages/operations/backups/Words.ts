/** Words of backups in both languages. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import type { Tone } from "../../../parts/Badge.tsx"

export type Schedule = Answer<"GET /api/v1/backups/schedules">[number]
export type Job = Answer<"GET /api/v1/backups/jobs">["items"][number]
export type Backup = Answer<"GET /api/v1/backups">["items"][number]
export type BackupType = Job["type"]

export const backupTypes: ReadonlyArray<BackupType> = ["full", "databases", "files", "configuration"]

const t = words({
  en: {
    full: "everything",
    databases: "databases",
    files: "files",
    configuration: "configuration",
    waiting: "waiting",
    running: "running",
    done: "done",
    failed: "failed",
    lost: "broken off",
    backup: "Backup",
    drill: "Restore drill",
    restore: "Restore",
    prepare: "prepares",
    copy: "copies",
    manifest: "writes the list of contents",
    retention: "deletes old backups",
    check: "checks the repository",
    repository: "Repository",
    postgres: "Postgres",
    rows: "Rows of tables",
    mail: "Mail",
    secrets: "Secrets"
  },
  de: {
    full: "alles",
    databases: "Datenbanken",
    files: "Dateien",
    configuration: "Konfiguration",
    waiting: "wartet",
    running: "läuft",
    done: "fertig",
    failed: "fehlgeschlagen",
    lost: "abgebrochen",
    backup: "Backup",
    drill: "Restore-Probe",
    restore: "Wiederherstellung",
    prepare: "bereitet vor",
    copy: "kopiert",
    manifest: "schreibt das Inhaltsverzeichnis",
    retention: "löscht alte Backups",
    check: "prüft das Repository",
    repository: "Repository",
    postgres: "Postgres",
    rows: "Zeilen der Tabellen",
    mail: "Mail",
    secrets: "Geheimnisse"
  }
})

type Word = keyof ReturnType<typeof t>

/** Text of a word of the API; an unknown word is shown as it is. */
export const backupWord = (word: string): string => t()[word as Word] ?? word

export const stateTones: Readonly<Record<Job["state"], Tone>> = {
  waiting: "quiet",
  running: "info",
  done: "success",
  failed: "error",
  lost: "error"
}
