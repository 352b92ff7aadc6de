/** Sentences about ended backups and drills. */
import { durationText, sizeText } from "#core/words/Amounts.ts"
import { inEveryLanguage } from "#core/words/ChooseLanguage.ts"
import { shippedTexts } from "#core/words/ShippedTexts.ts"
import type { LanguageCode } from "#core/words/TextMemory.ts"
import { momentIn } from "#core/words/TimeZone.ts"
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

const words = shippedTexts("watchdog.backups", {
  en: {
    types: { full: "full", databases: "databases", files: "files", configuration: "configuration" },
    drillDone: "Restore drill passed",
    drillFailed: "Restore drill failed",
    done: "Backup {name} completed",
    failed: "Backup {name} failed",
    amounts: "Size {size}, new in the repository {added}.",
    duration: "Duration {duration}.",
    leftOut: "Left out:",
    never: "Backup {name} did not succeed since it was set up",
    missed: "Backup {name} did not succeed since {since}"
  },
  de: {
    types: { full: "vollständig", databases: "Datenbanken", files: "Dateien", configuration: "Konfiguration" },
    drillDone: "Probe-Wiederherstellung gelungen",
    drillFailed: "Probe-Wiederherstellung gescheitert",
    done: "Sicherung {name} fertig",
    failed: "Sicherung {name} fehlgeschlagen",
    amounts: "Größe {size}, neu im Repository {added}.",
    duration: "Dauer {duration}.",
    leftOut: "Ausgelassen:",
    never: "Sicherung {name} ist seit ihrer Einrichtung nicht gelungen",
    missed: "Sicherung {name} ist seit {since} nicht gelungen"
  }
})

/** In every offered language. */
export const sentences = (job: Ended) => inEveryLanguage((language) => sentencesIn(job, language))

const sentencesIn = (job: Ended, language: LanguageCode): Words => {
  const t = words(language)
  const ok = job.state === "done"
  const name = job.schedule ?? t.types[job.type]
  const title = job.work === "drill" ? (ok ? t.drillDone : t.drillFailed) : ok ? t.done({ name }) : t.failed({ name })
  const leftOut = job.left_out.map(({ reason, what }) => `- ${what}: ${reason}`)
  const body = [
    ...(job.problem === null ? [] : [job.problem]),
    ...(job.size === null
      ? []
      : [t.amounts({ size: sizeText(job.size, language), added: sizeText(job.added ?? 0, language) })]),
    t.duration({ duration: durationText(job.duration, language) }),
    ...(leftOut.length === 0 ? [] : [t.leftOut, ...leftOut])
  ].join("\n")
  return {
    title: title.replace(/\p{Cc}/gu, " ").slice(0, maxTitle),
    body: body.replace(/(?![\t\n])\p{Cc}/gu, " ").slice(0, maxBody)
  }
}

/** Summary of a backup that did not succeed when it should have. `success`: the last time that it did. */
export const missedWords = (name: string, success: Date | null, language: LanguageCode): string =>
  success === null
    ? words(language).never({ name })
    : words(language).missed({ name, since: momentIn(success, language, null) })
