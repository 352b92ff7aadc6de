import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { request } from "../../lib/Call.ts"
import { useFirstFocus } from "../../lib/FirstFocus.ts"
import { number } from "../../lib/Format.ts"
import { language, words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { useDoing } from "../../lib/Doing.ts"
import { inGerman, told as toldOfFields } from "./Refusals.ts"

const t = words({
  en: {
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

/** An import with its progress, as all daemons answer it. */
export interface ImportProgress {
  readonly id: number | string
  readonly state: "waiting" | "running" | "finished"
  readonly rows: {
    readonly total: number | null
    readonly done: number
    readonly created: number
    readonly changed: number
    readonly unchanged: number
    readonly failed: number
  }
  /** First rows that failed. */
  readonly errors: ReadonlyArray<{ readonly line: number; readonly message: string }>
}

/** Poll interval of a running import. Unit: milliseconds. */
const look = 1_000
/** Upload timeout. Unit: milliseconds. Reason: 16 MiB over a slow line. */
const patience = 10 * 60_000

interface Props {
  readonly title: string
  /** Size and columns of the file. */
  readonly hint: string
  /** Address that takes the file. Below it, the id of an import is its progress. */
  readonly path: string
  /** Query of the address. */
  readonly query?: string
  readonly shut: () => void
  /** Called with each progress, for lists without events. */
  readonly changed?: () => void
  /** Error text of a refused file. */
  readonly told?: (problem: Problem) => string
}

/** Uploads a CSV file and shows the progress of its import. */
export const CsvImport = ({ changed, hint, path, query = "", shut, title, told = toldOfFields }: Props) => {
  const file = useFirstFocus<HTMLInputElement>()
  const doing = useDoing()
  const progress = useSignal<ImportProgress | undefined>(undefined)
  const running = progress.value !== undefined && progress.value.state !== "finished"
  useEffect(() => {
    if (!running) return
    // A failed poll is ignored; the next one may succeed.
    const timer = setInterval(() => {
      request(`${path}/${progress.peek()!.id}`)
        .then((answer) => answer.json())
        .then(
          (now) => {
            progress.value = now
            changed?.()
          },
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
      const answer = await request(path + query, {
        method: "POST",
        headers: { "content-type": "text/csv" },
        body: chosen,
        signal: AbortSignal.timeout(patience)
      })
      progress.value = await answer.json()
      changed?.()
    })
  }
  const problem = doing.problem.value
  return (
    <section class="card stack" aria-labelledby="import">
      <h2 id="import">{title}</h2>
      <form class="stack" onSubmit={submit}>
        <label>
          {t().file}
          <input ref={file} type="file" accept=".csv,text/csv,.tsv,.txt" required aria-describedby="import-hint" />
        </label>
        <small id="import-hint">{hint}</small>
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

const Shown = ({ of: { errors, rows, state } }: { readonly of: ImportProgress }) => (
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
