/** Prepares event counts for the chart. Pure. */
import type { Colour, Series } from "../../parts/ChartProps.ts"

/** Counts of one bucket by event type. */
export interface Bucket {
  readonly at: string
  readonly counts: Readonly<Record<string, number>>
}

const colours: ReadonlyArray<Colour> = ["c1", "c2", "c3", "c4", "c5", "c6"]

/** A series for each of the most frequent types; all others together form the series named by `rest`. */
export const seriesOf = (buckets: ReadonlyArray<Bucket>, rest: string): ReadonlyArray<Series> => {
  const totals = new Map<string, number>()
  for (const { counts } of buckets)
    for (const [type, count] of Object.entries(counts)) totals.set(type, (totals.get(type) ?? 0) + count)
  const types = [...totals]
    .filter(([, total]) => total > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([type]) => type)
  const shown = types.slice(0, types.length > colours.length ? colours.length - 1 : colours.length)
  const others = types.slice(shown.length)
  return [
    ...shown.map((type, index): Series => ({
      name: type,
      label: type,
      colour: colours[index]!,
      values: buckets.map(({ counts }) => counts[type] ?? 0)
    })),
    ...(others.length === 0
      ? []
      : [
          {
            name: "…",
            label: rest,
            colour: "quiet" as const,
            values: buckets.map(({ counts }) => others.reduce((all, type) => all + (counts[type] ?? 0), 0))
          }
        ])
  ]
}

/** Whether a text is a valid pattern: exact, `order.*`, or `*`. */
export const isPattern = (text: string): boolean => text === "*" || /^[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?$/.test(text)
