/**
 * Output of commands: JSON with `--json`, else aligned columns; colours only on a terminal. Results go to standard
 * output, everything else to standard error.
 */
import { type Language, languages } from "../words/Language.ts"
import { Console, Effect } from "effect"
import { Flag } from "effect/cli"

/** The `--json` flag that every command with output has. */
export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON instead of text"),
  Flag.withDefault(false)
)

/** The flag of commands whose texts exist in every language. */
export const lang = (description: string) =>
  Flag.Literals("lang", languages).pipe(
    Flag.withDescription(`${description}; default: ${languages[0]}`),
    Flag.withDefault<Language>(languages[0])
  )

/** Prints a value as JSON or as text lines. */
export const print = <A>(asJson: boolean, value: A, lines: (value: A) => ReadonlyArray<string>): Effect.Effect<void> =>
  asJson
    ? Console.log(JSON.stringify(value, null, 2))
    : Effect.forEach(lines(value), (line) => Console.log(line), { discard: true })

/** Aligns rows in columns two spaces apart. The last column is not padded. Pure. */
export const columns = (rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const widths: Array<number> = []
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, visible(cell).length)
    })
  }
  return rows.map((row) =>
    row
      .map((cell, index) =>
        index === row.length - 1 ? cell : cell + " ".repeat(widths[index]! - visible(cell).length)
      )
      .join("  ")
      .trimEnd()
  )
}

/** A table whose first row has the titles; without further rows the text `nothing` says what there is not. Pure. */
export const table = (nothing: string, rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> => {
  const [titles = [], ...items] = rows
  return items.length === 0 ? [nothing] : columns([titles.map((title) => title.toUpperCase()), ...items])
}

// oxlint-disable-next-line no-control-regex
const visible = (text: string) => text.replace(/\u001b\[\d+m/g, "")

export type Colour = "green" | "yellow" | "red" | "dim"

/** SGR colour codes. Source: ECMA-48 §8.3.117, select graphic rendition. */
const codes: Record<Colour, number> = { green: 32, yellow: 33, red: 31, dim: 2 }

/** Colours the text when standard output is a terminal and NO_COLOR is not set. Source: no-color.org. */
export const colour = (name: Colour, text: string): string =>
  process.stdout.isTTY && !process.env["NO_COLOR"] ? `\u001b[${codes[name]}m${text}\u001b[0m` : text
