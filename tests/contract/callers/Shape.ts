/** Names of operations in the form in which lists, declarations and sources are compared. */

/** The operation without the names of its parameters and without a final slash: `GET /api/v1/users/*`. */
export const shape = (operation: string): string => operation.replace(/\{\w+\}|:\w+/g, "*").replace(/(?<=\w)\/$/, "")

/** Operations of a list with one `METHOD, METHOD /path` on each line, by shape. */
export const operationsOf = (lines: string): ReadonlyArray<string> =>
  lines
    .trim()
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line) => {
      const [, methods, path] = /^([A-Z, ]+) (\/.*)$/.exec(line.trim()) ?? []
      if (methods === undefined) throw new Error(`not an operation: ${line}`)
      return methods.split(", ").map((method) => shape(`${method} ${path}`))
    })
