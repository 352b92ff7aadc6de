import { longDuration } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import { useNow } from "../../../parts/Now.ts"
import { ValueChart } from "./ValueChart.tsx"
import { type CheckWithHistory, checkWord, type Status, statusTones, valueText } from "./Words.ts"

const t = words({
  en: {
    title: "History",
    time: "Time",
    none: "No result in this time. The first ones appear as soon as the check has run.",
    hourly: "Each point is the mean of an hour with its worst state."
  },
  de: {
    title: "Verlauf",
    time: "Zeitraum",
    none: "Kein Ergebnis in dieser Zeit. Die ersten erscheinen, sobald die Prüfung gelaufen ist.",
    hourly: "Jeder Punkt ist das Mittel einer Stunde mit ihrem schlechtesten Zustand."
  }
})

/** Lengths of the history. Unit: hours. The API has 90 days. */
const ranges = [6, 24, 48, 7 * 24, 30 * 24, 90 * 24] as const
const hour = 3_600_000

/** Values of a check over time, with its states. */
export const History = ({
  choose,
  hours,
  of
}: {
  readonly of: CheckWithHistory
  readonly hours: number
  readonly choose: (hours: number) => void
}) => {
  const now = useNow(10_000)
  const points = of.history.map(({ at, status, value }) => ({
    at: Date.parse(at),
    value: value ?? undefined,
    state: status
  }))
  return (
    <section class="card" aria-labelledby="history">
      <div class="card-head">
        <h2 id="history">{t().title}</h2>
        <label>
          {t().time}
          <select value={hours} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
            {ranges.map((one) => (
              <option key={one} value={one}>
                {longDuration(one * hour)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {points.length === 0 ? (
        <p class="empty">{t().none}</p>
      ) : (
        <ValueChart
          label={`${t().title}: ${of.key}`}
          points={points}
          show={(value) => valueText(value, of.unit)}
          stateText={(state) => checkWord(state as Status)}
          stateTone={(state) => statusTones[state as Status] ?? "quiet"}
          limit={of.thresholds.critical ?? of.thresholds.warning ?? undefined}
          until={Math.max(now, points.at(-1)!.at)}
        />
      )}
      {of.resolution_s === 0 ? null : <small>{t().hourly}</small>}
    </section>
  )
}
