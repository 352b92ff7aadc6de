import type { Signal } from "@preact/signals"
import { words } from "../../../lib/Language.ts"
import { fixed } from "../Figures.ts"
import { shownScores } from "./Scores.ts"

const t = words({
  en: {
    label: "Score of the last 8 seconds",
    threshold: (value: string) => `threshold ${value}`,
    best: (value: string) => `highest ${value}`
  },
  de: {
    label: "Wert der letzten 8 Sekunden",
    threshold: (value: string) => `Schwelle ${value}`,
    best: (value: string) => `höchster ${value}`
  }
})

/** Size of the drawing in its own units; the style sheet stretches it to the width of the page. */
const [width, height] = [600, 100] as const

/** Scores of the last seconds as a line, with the threshold. */
export const ScoreChart = ({
  scores: { value: scores },
  threshold
}: {
  readonly scores: Signal<ReadonlyArray<number>>
  readonly threshold: number
}) => {
  const now = scores.at(-1) ?? 0
  const x = (at: number) => width - ((scores.length - 1 - at) / (shownScores - 1)) * width
  const y = (score: number) => (1 - score) * height
  return (
    <figure class="wake-score">
      <div class="wake-score-now">
        <output aria-live="off">{fixed(now, 2)}</output>
        <span class="soft">
          {t().best(fixed(Math.max(0, ...scores), 2))} · {t().threshold(fixed(threshold, 2))}
        </span>
      </div>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={t().label}>
        <line class="wake-threshold" x1={0} x2={width} y1={y(threshold)} y2={y(threshold)} />
        <polyline
          class="wake-score-line"
          points={scores.map((score, at) => `${x(at).toFixed(1)},${y(score).toFixed(1)}`).join(" ")}
        />
      </svg>
    </figure>
  )
}
