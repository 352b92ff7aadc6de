// Groups of test files in the figures of a run. Pure.

/** The daemon that a test file tests, else the first folder below tests/, else `tests`. `path`: from the root. */
export const groupOf = (path: string): string => {
  const [, first, second] = path.split("/")
  if (first === "daemons" && second !== undefined) return second
  return path.split("/").length > 2 ? first! : "tests"
}

interface Report {
  readonly testResults: ReadonlyArray<{ readonly name: string; readonly startTime: number; readonly endTime: number }>
}

/**
 * Table of wall times by group, from vitest's JSON report. The time of a file begins with its first hook, so start of
 * the worker and imports are not in it. Undefined when there is no report. `root`: path that file names start with.
 */
export const formatTimes = (report: string | undefined, root: string): string | undefined => {
  const results = parse(report)?.testResults ?? []
  if (results.length === 0) return undefined
  const groups = Map.groupBy(results, ({ name }) => groupOf(name.replace(`${root}/`, "")))
  const rows = [...groups]
    .map(([group, files]) => ({
      group,
      files: files.length,
      seconds: files.reduce((sum, { endTime, startTime }) => sum + Math.max(0, endTime - startTime), 0) / 1e3
    }))
    .sort((a, b) => b.seconds - a.seconds)
  return table(
    ["wall s", "files", "daemon or folder"],
    rows.map(({ files, group, seconds }) => [seconds.toFixed(1), String(files), group])
  )
}

const parse = (report: string | undefined): Report | undefined => {
  try {
    return report === undefined ? undefined : (JSON.parse(report) as Report)
  } catch {
    return undefined
  }
}

/** Rows as text: left-aligned last column, right-aligned other columns. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padStart(widths[column]!))).join("  ")
    )
    .join("\n")
}
