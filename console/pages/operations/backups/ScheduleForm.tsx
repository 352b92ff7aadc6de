import { call } from "../../../lib/Call.ts"
import { words } from "../../../lib/Language.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { told } from "../Refusals.ts"
import { backupTypes, backupWord, type Schedule } from "./Words.ts"

const t = words({
  en: {
    add: "Add a schedule",
    change: (name: string) => `Change ${name}`,
    name: "Name",
    cron: "Times",
    cronHint:
      "Cron expression of five fields: minute, hour, day, month, weekday. 0 3 * * * is every night at 3:00, in UTC unless SIGNALBOX_BACKUP_TIME_ZONE is set.",
    type: "What is backed up",
    enabled: "Runs automatically"
  },
  de: {
    add: "Zeitplan hinzufügen",
    change: (name: string) => `${name} ändern`,
    name: "Name",
    cron: "Zeiten",
    cronHint:
      "Cron-Ausdruck aus fünf Feldern: Minute, Stunde, Tag, Monat, Wochentag. 0 3 * * * ist jede Nacht um 3:00, in UTC, wenn SIGNALBOX_BACKUP_TIME_ZONE nichts anderes sagt.",
    type: "Was gesichert wird",
    enabled: "Läuft automatisch"
  }
})

const fields: ReadonlyArray<Field> = [
  { name: "name", label: () => t().name, input: { kind: "text" }, required: true },
  {
    name: "cron",
    label: () => t().cron,
    hint: () => t().cronHint,
    input: { kind: "text" },
    required: true,
    initial: "0 3 * * *"
  },
  {
    name: "type",
    label: () => t().type,
    input: { kind: "choice", options: backupTypes.map((type) => [type, () => backupWord(type)] as const) }
  },
  { name: "enabled", label: () => t().enabled, input: { kind: "check" }, initial: true }
]

/** Form for a schedule of backups. */
export const ScheduleForm = ({
  saved,
  schedule,
  shut
}: {
  /** Undefined to create a schedule. */
  readonly schedule: Schedule | undefined
  readonly saved: () => void
  readonly shut: () => void
}) => (
  <FieldsForm
    title={schedule === undefined ? t().add : t().change(schedule.name)}
    fields={fields}
    row={schedule}
    told={told}
    shut={shut}
    send={(payload) =>
      (schedule === undefined
        ? call("POST /api/v1/backups/schedules", { payload: payload as never })
        : call("PUT /api/v1/backups/schedules/:id", { params: { id: schedule.id }, payload })
      ).then(saved)
    }
  />
)
