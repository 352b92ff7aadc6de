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
const longTexts = /^(tests|console|daemons\/(dns-verifier|identity|mail-admin))\//

/** Lines longer than `longestLine`. In folders of `longTexts` only comments count. */
export const longLines = (files: ReadonlyArray<SourceText>): ReadonlyArray<Violation> =>
  files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      if (line.length <= longestLine || (longTexts.test(path) && !/^\s*(\/\/|\/?\*)/.test(line))) return []
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
          /\bas (unknown as )?(never|any)\b/.test(line.replace(/\/\/.*$|^\s*\/?\*.*$/, ""))
            ? [{ file: path, line: index + 1, message: "switches types off; state the type, or list the reason" }]
            : []
        )
    )
