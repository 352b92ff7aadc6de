import { duration, moment } from "../lib/Format.ts"
import type { Tone } from "./Badge.tsx"
import { place, scaleOf, ticks } from "./TimeScale.ts"
import "./timeline.css"

/** A period on a lane. Epoch milliseconds; without `to` it continues. */
export interface Span {
  readonly from: number
  readonly to: number | undefined
  readonly tone: Tone
  readonly label: string
}

/** A moment on a lane; `awaited`: it lies in the future. */
export interface Mark {
  readonly at: number
  readonly tone: Tone
  readonly label: string
  readonly awaited?: boolean
}

export interface Lane {
  readonly name: string
  /** Small text below the name. */
  readonly detail?: string
  readonly spans: ReadonlyArray<Span>
  readonly marks: ReadonlyArray<Mark>
}

/** Maximum number of ticks. Reason: their labels fit side by side in a narrow window. */
const mostTicks = 6

/** Beyond this place the label of a tick stands before the tick, because the lane ends. Unit: percent of the width. */
const lastLabelled = 80

/** Distance below which a label and that of the last tick, before its tick, meet on a phone. Unit: percent. */
const labelRoom = 30

/** `at`, `next`: places of a tick and of the one after it. */
const classOf = (at: number, next: number): string =>
  at > lastLabelled ? "tick end" : next > lastLabelled && next - at < labelRoom ? "tick near" : "tick"

/** Lanes over a common time axis. A drawing: screen readers get `label` and the list that the page shows next to it. */
export const TimeLine = ({
  label,
  lanes,
  now
}: {
  readonly label: string
  readonly lanes: ReadonlyArray<Lane>
  readonly now: number
}) => {
  const goesOn = lanes.some(
    ({ spans, marks }) => spans.some(({ to }) => to === undefined) || marks.some(({ awaited }) => awaited === true)
  )
  const moments = lanes.flatMap(({ spans, marks }) => [
    ...spans.flatMap(({ from, to }) => [from, to ?? now]),
    ...marks.map(({ at }) => at)
  ])
  if (moments.length === 0) return null
  const scale = scaleOf(goesOn ? [...moments, now] : moments)
  const left = (at: number) => ({ left: `${place(scale, at)}%` })
  return (
    <div class="time-line" role="img" aria-label={label}>
      {lanes.map(({ detail, marks, name, spans }, index) => (
        <div class="lane" key={index}>
          <div class="lane-name">
            <strong>{name}</strong>
            {detail === undefined ? null : <small title={detail}>{detail}</small>}
          </div>
          <div class="lane-track">
            {spans.map((span) => (
              <span
                key={span.from}
                class={`span ${span.tone}${span.to === undefined ? " going" : ""}`}
                style={{ ...left(span.from), width: `${place(scale, span.to ?? now) - place(scale, span.from)}%` }}
                title={`${span.label} · ${moment(span.from)} · ${duration((span.to ?? now) - span.from)}`}
              />
            ))}
            {marks.map((mark) => (
              <span
                key={`${mark.at} ${mark.label}`}
                class={`mark ${mark.tone}${mark.awaited === true ? " awaited" : ""}`}
                style={left(mark.at)}
                title={`${mark.label} · ${moment(mark.at)}`}
              />
            ))}
            {goesOn ? <span class="now" style={left(now)} /> : null}
          </div>
        </div>
      ))}
      <div class="lane axis">
        <div />
        <div class="lane-track">
          {ticks(scale, mostTicks).map((offset, index, all) => (
            <span
              key={offset}
              class={classOf(
                place(scale, scale.from + offset),
                place(scale, scale.from + (all[index + 1] ?? Infinity))
              )}
              style={left(scale.from + offset)}
            >
              {offset === 0 ? "0" : duration(offset)}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}
