import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { Answer } from "../../lib/Endpoints.ts"
import { call, request } from "../../lib/Call.ts"
import { number } from "../../lib/Format.ts"
import { language, words } from "../../lib/Language.ts"
import { useDoing } from "../mail/Doing.ts"
import { inGerman, told } from "../telephony/Refusals.ts"

const t = words({
  en: {
    title: "Import customers",
    hint: "UTF-8, at most 16 MiB. The first line names the columns: number, name, and of locale, email, phones those that are there. A customer with the same number is changed.",
    file: "CSV file",
    begin: "Begin",
    close: "Close",
    waiting: "Waiting …",
    running: "Under way …",
    finished: "Finished.",
    progress: "Progress of the import",
    rows: (done: number, total: number | null) =>
      total === null ? `${number(done)} rows` : `${number(done)} of ${number(total)} rows`,
    counts: (created: number, changed: number, unchanged: number, failed: number) =>
      `${number(created)} new, ${number(changed)} changed, ${number(unchanged)} as they were, ${number(failed)} failed`,
    line: (at: number, text: string) => `Line ${at}: ${text}`,
    errors: "Rows that failed",
    first: "The first hundred of them are shown."
  },
  de: {
    title: "Kunden importieren",
    hint: "UTF-8, höchstens 16 MiB. Die erste Zeile nennt die Spalten: number, name, und von locale, email, phones die vorhandenen. Ein Kunde mit derselben Nummer wird geändert.",
    file: "CSV-Datei",
    begin: "Beginnen",
    close: "Schließen",
    waiting: "Wartet …",
    running: "Läuft …",
    finished: "Fertig.",
    progress: "Fortschritt des Imports",
    rows: (done: number, total: number | null) =>
      total === null ? `${number(done)} Zeilen` : `${number(done)} von ${number(total)} Zeilen`,
    counts: (created: number, changed: number, unchanged: number, failed: number) =>
      `${number(created)} neu, ${number(changed)} geändert, ${number(unchanged)} wie zuvor, ${number(failed)} fehlgeschlagen`,
    line: (at: number, text: string) => `Zeile ${at}: ${text}`,
    errors: "Fehlgeschlagene Zeilen",
    first: "Gezeigt werden die ersten hundert."
  }
})

type Progress = Answer<"GET /api/v1/crm/customers/imports/:id">

/** Poll interval of a running import. Unit: milliseconds. */
const look = 1_000
/** Upload timeout. Unit: milliseconds. Reason: 16 MiB over a slow line. */
const patience = 10 * 60_000

/** Uploads a file of customers and shows the progress of its import. */
export const Import = ({ shut }: { readonly shut: () => void }) => {
  const file = useRef<HTMLInputElement>(null)
  const doing = useDoing()
  const progress = useSignal<Progress | undefined>(undefined)
  useEffect(() => file.current?.focus(), [])
  const running = progress.value !== undefined && progress.value.state !== "finished"
  useEffect(() => {
    if (!running) return
    // A failed poll is ignored; the next one may succeed.
    const timer = setInterval(() => {
      call("GET /api/v1/crm/customers/imports/:id", { params: { id: String(progress.peek()!.id) } }).then(
        (now) => (progress.value = now),
        () => {}
      )
    }, look)
    return () => clearInterval(timer)
  }, [running])
  const submit = (event: Event) => {
    event.preventDefault()
    const chosen = file.current?.files?.[0]
    if (chosen === undefined) return
    progress.value = undefined
    void doing.run(async () => {
      const answer = await request("/api/v1/crm/customers/imports", {
        method: "POST",
        headers: { "content-type": "text/csv" },
        body: chosen,
        signal: AbortSignal.timeout(patience)
      })
      progress.value = await answer.json()
    })
  }
  const problem = doing.problem.value
  return (
    <section class="card stack" aria-labelledby="import">
      <h2 id="import">{t().title}</h2>
      <form class="stack" onSubmit={submit}>
        <label>
          {t().file}
          <input ref={file} type="file" accept=".csv,text/csv,.tsv,.txt" required aria-describedby="import-hint" />
        </label>
        <small id="import-hint">{t().hint}</small>
        <div role="alert" class={problem === undefined ? "" : "trouble"}>
          {problem === undefined ? null : <p>{told(problem)}</p>}
        </div>
        <div class="page-actions">
          <button type="submit" class="primary" disabled={doing.busy.value || running}>
            {t().begin}
          </button>
          <button type="button" onClick={shut}>
            {t().close}
          </button>
        </div>
      </form>
      {progress.value === undefined ? null : <Shown of={progress.value} />}
    </section>
  )
}

/** Translates an error of a cell to German; the name of the column stays in front. */
const german = (message: string): string => {
  const [, column = "", text = message] = /^(\w+: )(.*)$/.exec(message) ?? []
  return column + (inGerman(text) ?? text)
}

const Shown = ({ of: { errors, rows, state } }: { readonly of: Progress }) => (
  <>
    <progress
      aria-label={t().progress}
      {...(state === "finished"
        ? { value: 1, max: 1 }
        : rows.total === null
          ? {}
          : { value: rows.done, max: Math.max(1, rows.total) })}
    />
    <p role="status">
      {t()[state]} {t().rows(rows.done, rows.total)}:{" "}
      {t().counts(rows.created, rows.changed, rows.unchanged, rows.failed)}
    </p>
    {errors.length === 0 ? null : (
      <>
        <h3>{t().errors}</h3>
        {rows.failed > errors.length ? <p class="hint">{t().first}</p> : null}
        <ul>
          {errors.map(({ line, message }, at) => (
            <li key={at}>{t().line(line, language.value === "de" ? german(message) : message)}</li>
          ))}
        </ul>
      </>
    )}
  </>
)
