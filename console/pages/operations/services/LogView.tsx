import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { bothMoments, number, timeOfDay } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { Waiting } from "../../../parts/Loading.tsx"
import { Refused } from "../Refusals.ts"
import { useLog } from "./Log.ts"
import { marked, matching, type Numbered } from "./LogLines.ts"

const t = words({
  en: {
    title: "Log",
    lines: "Lines",
    filter: "Only lines with",
    follow: "Follow",
    again: "Load again",
    none: "The log is empty.",
    noneSo: "No line contains this text.",
    shown: (shown: string, all: string) => `${shown} of ${all} lines`,
    dropped: (count: string) => `${count} lines were left out, because they came too fast.`,
    truncated: "Earlier lines were left out, because the answer would be too large.",
    cut: "(cut)"
  },
  de: {
    title: "Log",
    lines: "Zeilen",
    filter: "Nur Zeilen mit",
    follow: "Mitlesen",
    again: "Neu laden",
    none: "Das Log ist leer.",
    noneSo: "Keine Zeile enthält diesen Text.",
    shown: (shown: string, all: string) => `${shown} von ${all} Zeilen`,
    dropped: (count: string) => `${count} Zeilen fehlen, weil sie zu schnell kamen.`,
    truncated: "Frühere Zeilen fehlen, weil die Antwort zu groß würde.",
    cut: "(gekürzt)"
  }
})

/** Numbers of lines to choose from. The API allows 5,000 at most. */
const counts = [100, 200, 1_000, 5_000] as const

/** Distance from the end within which the view follows new lines. Unit: pixels. */
const nearEnd = 40

/** The last lines of a service's log, filtered by text, and live on request. */
export const LogView = ({ name }: { readonly name: string }) => {
  const count = useSignal<number>(200)
  const filter = useSignal("")
  const following = useSignal(false)
  const turn = useSignal(0)
  const log = useLog(name, count.value, following.value, turn.value)
  const view = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const all = log.lines.value
  const shown = all === undefined ? [] : matching(all, filter.value)
  useEffect(() => {
    if (atEnd.current && view.current) view.current.scrollTop = view.current.scrollHeight
  }, [shown.at(-1)?.at, shown.length, filter.value])
  return (
    <section class="card" aria-labelledby="log">
      <h2 id="log">{t().title}</h2>
      <div class="filters">
        <label>
          {t().filter}
          <input
            type="search"
            name="log-filter"
            value={filter.value}
            autocomplete="off"
            onInput={({ currentTarget }) => (filter.value = currentTarget.value)}
          />
        </label>
        <label>
          {t().lines}
          <select
            name="log-lines"
            value={count.value}
            onChange={({ currentTarget }) => (count.value = Number(currentTarget.value))}
          >
            {counts.map((one) => (
              <option key={one} value={one}>
                {number(one)}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            name="log-follow"
            checked={following.value}
            onChange={({ currentTarget }) => (following.value = currentTarget.checked)}
          />
          {t().follow}
        </label>
        {following.value ? null : (
          <button type="button" onClick={() => void turn.value++}>
            {t().again}
          </button>
        )}
      </div>
      <Refused problem={log.problem.value} />
      {log.truncated.value ? <p class="soft">{t().truncated}</p> : null}
      {log.dropped.value === 0 ? null : <p class="soft">{t().dropped(number(log.dropped.value))}</p>}
      {all === undefined ? (
        log.problem.value === undefined ? (
          <Waiting />
        ) : null
      ) : (
        <>
          <div
            ref={view}
            class="log"
            role="region"
            aria-label={t().title}
            tabIndex={0}
            onScroll={({ currentTarget }) =>
              (atEnd.current =
                currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < nearEnd)
            }
          >
            {shown.length === 0 ? (
              <p class="soft">{all.length === 0 ? t().none : t().noneSo}</p>
            ) : (
              shown.map((line) => <Line key={line.at} line={line} wanted={filter.value} />)
            )}
          </div>
          <small>{t().shown(number(shown.length), number(all.length))}</small>
        </>
      )}
    </section>
  )
}

const Line = ({ line: { entry }, wanted }: { readonly line: Numbered; readonly wanted: string }) => (
  <div class={`log-line ${entry.level ?? (entry.stream === "stderr" ? "stderr" : "")}`}>
    {entry.at === null ? null : (
      <time dateTime={entry.at} title={bothMoments(entry.at)}>
        {timeOfDay(entry.at)}
      </time>
    )}{" "}
    {marked(entry.text, wanted).map((piece, index) =>
      index % 2 === 1 ? <mark key={index}>{piece}</mark> : <span key={index}>{piece}</span>
    )}
    {entry.cut ? <small> {t().cut}</small> : null}
  </div>
)
