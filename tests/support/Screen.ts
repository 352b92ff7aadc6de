/** The screen of a terminal: how many of its rows an output takes. Pure. */

/** Size of a terminal. Unit: characters. Source: DEC VT100, the default of terminal programs. */
export const screen = { columns: 80, rows: 24 } as const

/** Rows of the screen that an output takes; longer lines continue on the next row. */
export const rowsOf = (output: string): ReadonlyArray<string> =>
  output
    .trimEnd()
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : line.match(new RegExp(`.{1,${screen.columns}}`, "gu"))!))
