/** One figure of a benchmark, for the table and for `--json`. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Baseline without our part, measured in the same run; null when there is none. */
  readonly floor: number | null
  /** `value` divided by `floor`; null without a floor. */
  readonly ratio: number | null
  readonly target: number | null
  /** Whether smaller or larger is better. */
  readonly better: "less" | "more"
  readonly met: boolean | null
}

/** Share of the target at which a figure still passes on a shared machine. Source: our rule for CI. */
export const tolerance = 0.85

export const figure = (
  name: string,
  value: number,
  unit: string,
  options: { readonly floor?: number; readonly target?: number; readonly better?: "less" | "more" } = {}
): Figure => {
  const { better = "less", floor, target } = options
  return {
    name,
    value: round(value),
    unit,
    floor: floor === undefined ? null : round(floor),
    ratio: floor === undefined ? null : round(value / floor),
    target: target ?? null,
    better,
    met: target === undefined ? null : better === "less" ? value <= target : value >= target
  }
}

/** Whether the figure is close enough to its target for a noisy machine. */
export const tolerable = ({ better, target, value }: Figure): boolean =>
  target === null || (better === "less" ? value * tolerance <= target : value >= target * tolerance)

const round = (value: number) => Number(value.toPrecision(4))

/** The q-quantile (0 to 1), by nearest rank. */
export const quantile = (numbers: ReadonlyArray<number>, q: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN
}

export const median = (numbers: ReadonlyArray<number>): number => quantile(numbers, 0.5)

/** The figures as a text table. */
export const table = (figures: ReadonlyArray<Figure>): string => {
  const rows = figures.map((row) => [
    row.name,
    `${row.value} ${row.unit}`,
    row.floor === null ? "" : `${row.floor} ${row.unit}`,
    row.ratio === null ? "" : String(row.ratio),
    row.target === null ? "" : `${row.better === "less" ? "≤" : "≥"} ${row.target} ${row.unit}`,
    row.met === null ? "" : row.met ? "met" : tolerable(row) ? "near" : "MISSED"
  ])
  const all = [["figure", "value", "floor", "ratio", "target", ""], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}
