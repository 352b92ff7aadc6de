// Rules on source text that the linter and the formatter cannot express. Pure: takes texts, returns violations, reads
// no file.

import type { SourceText, Violation } from "./Arrows.ts"

/** Longest line of a comment anywhere, and of any line of product code. Unit: characters. */
export const longestLine = 120

/** Files that may cast to `never` or `any`, with the reason. A new entry needs a reason. */
const castExceptions: Readonly<Record<string, string>> = {
  "core/auth/TokenVerifier.ts": "the caller states the claims of its token type",
  "core/http/App.ts": "the documentation page answers with an error type of its own",
  "core/http/BoundedList.ts": "a transformation between two schemas whose types only the caller knows",
  "core/http/Idempotency.ts": "inScope cannot state that it adds no requirement",
  "core/http/Problem.ts": "excluding an error from a generic union is not expressible",
  "core/sql/IoGuard.ts": "replaces methods of Node's own prototypes, whose overloads no function of ours can have"
}

/** Folders whose code may have longer lines. Their comments must still fit into `longestLine`. */
const longTexts = /^(tests|console)\//

/** Lines longer than `longestLine`. In folders of `longTexts` only comments count. */
export const longLines = (files: ReadonlyArray<SourceText>): ReadonlyArray<Violation> =>
  files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      if (line.length <= longestLine || (longTexts.test(path) && !/^\s*(\/\/|\/?\*)/.test(line))) return []
      return [{ file: path, line: index + 1, message: `has ${line.length} characters; lines end at ${longestLine}` }]
    })
  )

/** Tables that only the named file may write, with the reason. Migrations only create tables. */
const writers: Readonly<Record<string, { readonly file: string; readonly reason: string }>> = {
  "comm_dispatcher.run": {
    file: "daemons/comm-dispatcher/runs/Ledger.ts",
    reason: "alarms and event workflows share one ledger"
  }
}

/** Statements of core and daemons that write a table of `writers` elsewhere than in its file. */
export const foreignWrites = (files: ReadonlyArray<SourceText>): ReadonlyArray<Violation> =>
  Object.entries(writers).flatMap(([table, { file, reason }]) => {
    const name = table.replace(".", "\\s*\\.\\s*")
    const writing = new RegExp(
      `\\b(?:insert\\s+into|update|delete\\s+from|merge\\s+into|truncate(?:\\s+table)?)\\s+(?:only\\s+)?${name}\\b`,
      "gi"
    )
    return files
      .filter(({ path }) => /^(core|daemons)\//.test(path) && path !== file)
      .flatMap(({ path, text }) =>
        [...text.matchAll(writing)].map(({ index }) => ({
          file: path,
          line: text.slice(0, index).split("\n").length,
          message: `writes ${table}, which only ${file} may write: ${reason}`
        }))
      )
  })

/** Casts to `never` or `any` in core and daemons. */
export const castsOff = (files: ReadonlyArray<SourceText>): ReadonlyArray<Violation> =>
  files
    .filter(({ path }) => /^(core|daemons)\//.test(path) && !(path in castExceptions))
    .flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, index) =>
          /\bas (unknown as )?(never|any)\b/.test(line.replace(/\/\/.*$|^\s*\/?\*.*$/, ""))
            ? [{ file: path, line: index + 1, message: "switches types off; state the type, or list the reason" }]
            : []
        )
    )
