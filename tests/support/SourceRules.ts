// Rules on source text that the linter and the formatter cannot state. Pure: texts in, violations out; reads no file.

import type { SourceText, Violation } from "./Arrows.ts"

/** Longest line of a comment anywhere, and of any line of product code. Unit: characters. */
export const longestLine = 120

/** Casts that switch types off where no typed form exists. A new one needs a reason here. */
const castExceptions: Readonly<Record<string, string>> = {
  "core/sql/IoGuard.ts": "replaces methods of Node's own prototypes, whose overloads no function of ours can have"
}

/** Lines longer than `longestLine`: comments everywhere, other lines in product code. */
export const longLines = (files: ReadonlyArray<SourceText>): ReadonlyArray<Violation> =>
  files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      if (line.length <= longestLine || (path.startsWith("tests/") && !/^\s*(\/\/|\/?\*)/.test(line))) return []
      return [{ file: path, line: index + 1, message: `has ${line.length} characters; lines end at ${longestLine}` }]
    })
  )

/** Casts to `never` or `any` in core and daemons. */
export const castsOff = (files: ReadonlyArray<SourceText>): ReadonlyArray<Violation> =>
  files
    .filter(({ path }) => /^(core|daemons)\//.test(path) && !(path in castExceptions))
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) =>
          /\bas (unknown as )?(never|any)\b/.test(line.replace(/\/\/.*$/, ""))
            ? [{ file: path, line: index + 1, message: "switches types off; state the type, or list the reason" }]
            : []
        )
    )
