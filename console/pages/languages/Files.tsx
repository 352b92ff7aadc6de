import { useSignal } from "@preact/signals"
import { request } from "../../lib/Call.ts"
import { number } from "../../lib/Format.ts"
import { words } from "../../lib/Language.ts"
import { useDoing } from "../../lib/Doing.ts"
import { Refused, said } from "./Refusals.ts"
import type { ImportResult } from "./Shapes.ts"

const t = words({
  en: {
    title: "Files",
    intro: "For translators: all texts with their English ones. Empty translations are ignored at the import.",
    csv: "Export as CSV",
    xliff: "Export as XLIFF",
    choose: "Import a CSV or XLIFF file",
    one: (unchanged: string, refused: string) => `1 text stored, ${unchanged} unchanged, ${refused} refused.`,
    result: (changed: string, unchanged: string, refused: string) =>
      `${changed} texts stored, ${unchanged} unchanged, ${refused} refused.`
  },
  de: {
    title: "Dateien",
    intro: "Für Übersetzer: alle Texte mit den englischen daneben. Leere Übersetzungen übergeht der Import.",
    csv: "Als CSV exportieren",
    xliff: "Als XLIFF exportieren",
    choose: "CSV- oder XLIFF-Datei importieren",
    one: (unchanged: string, refused: string) => `1 Text gespeichert, ${unchanged} unverändert, ${refused} abgelehnt.`,
    result: (changed: string, unchanged: string, refused: string) =>
      `${changed} Texte gespeichert, ${unchanged} unverändert, ${refused} abgelehnt.`
  }
})

const formats = { csv: "csv", xliff: "xlf" } as const
type Format = keyof typeof formats

const types: Readonly<Record<Format, string>> = { csv: "text/csv", xliff: "application/xliff+xml" }

const summary = ({ changed, refused, unchanged }: ImportResult): string =>
  changed === 1
    ? t().one(number(unchanged), number(refused))
    : t().result(number(changed), number(unchanged), number(refused))

/** Export and import of a language's texts. */
export const Files = ({ imported, locale }: { readonly locale: string; readonly imported: () => void }) => {
  const doing = useDoing()
  const result = useSignal<ImportResult | undefined>(undefined)
  const path = `/api/v1/i18n/admin/files/${encodeURIComponent(locale)}`
  const save = (format: Format) =>
    doing.run(async () => {
      const address = URL.createObjectURL(await (await request(`${path}?format=${format}`)).blob())
      const link = document.createElement("a")
      link.href = address
      link.download = `texts-${locale}.${formats[format]}`
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    })
  const load = (file: File) =>
    doing.run(async () => {
      result.value = undefined
      const format: Format = /\.(?:xlf|xliff|xml)$/i.test(file.name) ? "xliff" : "csv"
      const response = await request(`${path}/${format}`, {
        method: "POST",
        headers: { "content-type": types[format] },
        body: await file.text()
      })
      result.value = (await response.json()) as ImportResult
      imported()
    })
  return (
    <section class="card" aria-labelledby="text-files">
      <h2 id="text-files">{t().title}</h2>
      <p class="soft">{t().intro}</p>
      <p class="text-actions">
        <button type="button" class="small" disabled={doing.busy.value} onClick={() => void save("csv")}>
          {t().csv}
        </button>{" "}
        <button type="button" class="small" disabled={doing.busy.value} onClick={() => void save("xliff")}>
          {t().xliff}
        </button>
      </p>
      {locale === "en" ? null : (
        <label>
          {t().choose}{" "}
          <input
            type="file"
            accept=".csv,.xlf,.xliff,.xml"
            disabled={doing.busy.value}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              currentTarget.value = ""
              if (file !== undefined) void load(file)
            }}
          />
        </label>
      )}
      <Refused problem={doing.problem.value} />
      <p role="status">{result.value === undefined ? "" : summary(result.value)}</p>
      {result.value === undefined || result.value.problems.length === 0 ? null : (
        <ul>
          {result.value.problems.map(({ at, message }) => (
            <li key={at}>
              <code>{at}</code>: {said(message)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
