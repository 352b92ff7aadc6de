import "./sparkline.css"

interface Point {
  /** Place from 0 on; others are left out. */
  readonly at: number
  readonly value: number
}

interface Props {
  /** What is drawn, with its figures: the drawing alone tells nothing exact. */
  readonly label: string
  /** Number of places. */
  readonly count: number
  /** Value at the upper edge. */
  readonly top: number
  /** In order; missing places are gaps. */
  readonly values: ReadonlyArray<Point>
}

/** Unit: units of the drawing. */
const height = 24

/** Small line of values beside their text. A place is a step, so that a single one is seen. */
export const Sparkline = ({ count, label, top, values }: Props) => {
  let before = -2
  const path = values
    .filter(({ at }) => at >= 0 && at < count)
    .map(({ at, value }) => {
      const level = Math.round((height - 1 - (value / Math.max(1, top)) * (height - 2)) * 10) / 10
      const begin = at === before + 1 ? `V${level}` : `M${at} ${level}`
      before = at
      return `${begin}H${at + 1}`
    })
    .join("")
  return (
    <svg class="sparkline" viewBox={`0 0 ${count} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={path} vector-effect="non-scaling-stroke" />
    </svg>
  )
}
