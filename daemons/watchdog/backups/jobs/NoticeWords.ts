/** Sentences about ended backups and drills, in English and German. Pure. */
import type { LeftOut } from "../Api.ts"
import type { JobRow } from "./JobStore.ts"

type Ended = Pick<JobRow, "work" | "state" | "type" | "schedule" | "size" | "added" | "files" | "problem"> & {
  readonly left_out: ReadonlyArray<typeof LeftOut.Type>
  /** Unit: milliseconds. */
  readonly duration: number
}

interface Words {
  readonly title: string
  readonly body: string
}

/** Longest title and body. Unit: UTF-16 units. Reason: a message on a phone. Source: core/contracts/Notifications. */
const maxTitle = 255
const maxBody = 4_000

const types = {
  en: { full: "full", databases: "databases", files: "files", configuration: "configuration" },
  de: { full: "vollständig", databases: "Datenbanken", files: "Dateien", configuration: "Konfiguration" }
} as const

export const sentences = (job: Ended): { readonly en: Words; readonly de: Words } => {
  const ok = job.state === "done"
  const name = job.schedule ?? types.en[job.type]
  const nameDe = job.schedule ?? types.de[job.type]
  const title =
    job.work === "drill"
      ? ok
        ? ["Restore drill passed", "Probe-Wiederherstellung gelungen"]
        : ["Restore drill failed", "Probe-Wiederherstellung gescheitert"]
      : ok
        ? [`Backup ${name} completed`, `Sicherung ${nameDe} fertig`]
        : [`Backup ${name} failed`, `Sicherung ${nameDe} fehlgeschlagen`]
  const amounts = (lang: "en" | "de") =>
    job.size === null
      ? []
      : [
          lang === "en"
            ? `Size ${bytes(job.size)}, new in the repository ${bytes(job.added ?? 0)}.`
            : `Größe ${bytes(job.size)}, neu im Repository ${bytes(job.added ?? 0)}.`
        ]
  const leftOut = job.left_out.map(({ reason, what }) => `- ${what}: ${reason}`)
  const body = (lang: "en" | "de") =>
    [
      ...(job.problem === null ? [] : [job.problem]),
      ...amounts(lang),
      `${lang === "en" ? "Duration" : "Dauer"} ${duration(job.duration)}.`,
      ...(leftOut.length === 0 ? [] : [lang === "en" ? "Left out:" : "Ausgelassen:", ...leftOut])
    ]
      .join("\n")
      .replace(/(?![\t\n])\p{Cc}/gu, " ")
      .slice(0, maxBody)
  const clean = (text: string) => text.replace(/\p{Cc}/gu, " ").slice(0, maxTitle)
  return { en: { title: clean(title[0]!), body: body("en") }, de: { title: clean(title[1]!), body: body("de") } }
}

/** `1.5 GB`. */
export const bytes = (count: number): string => {
  const units = ["B", "kB", "MB", "GB", "TB"]
  let at = 0
  let value = count
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000
    at++
  }
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`
}

/** `2 h 5 min`, `1 min 3 s`, `0.8 s`. Unit of the argument: milliseconds. */
export const duration = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${(milliseconds / 1000).toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
