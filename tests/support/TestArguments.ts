// Arguments of `npm test`. Pure.

export interface TestArguments {
  /** File for the profile, empty for the default; undefined: no profile. */
  readonly profile: string | undefined
  /** Revision for `--changed`, empty for the default; undefined: all tests. */
  readonly changed: string | undefined
  /** Whether real servers are needed: not when only project `unit` runs. */
  readonly needsPeers: boolean
  /** Arguments for vitest. */
  readonly rest: ReadonlyArray<string>
}

/** Reads the arguments. `isRevision` decides whether the word after `--changed` is its revision or a path. */
export const readArguments = (args: ReadonlyArray<string>, isRevision: (word: string) => boolean): TestArguments => {
  let profile: string | undefined
  let changed: string | undefined
  const projects: Array<string> = []
  const rest: Array<string> = []
  for (let at = 0; at < args.length; at++) {
    const [arg = "", next = ""] = args.slice(at, at + 2)
    const value = arg.slice(arg.indexOf("=") + 1)
    if (arg === "--profile") profile = ""
    else if (arg.startsWith("--profile=")) profile = value
    else if (arg.startsWith("--changed=")) changed = value
    else if (arg === "--changed") {
      changed = ""
      if (next !== "" && !next.startsWith("-") && isRevision(next)) {
        changed = next
        at++
      }
    } else {
      if (arg === "--project") projects.push(next)
      if (arg.startsWith("--project=")) projects.push(value)
      rest.push(arg)
    }
  }
  return { profile, changed, needsPeers: projects.length === 0 || projects.some((name) => name !== "unit"), rest }
}

/**
 * Words among vitest's arguments that are in no test file's path, so that they choose nothing. A word after an option
 * may be its value and counts as found. `files`: absolute paths.
 */
export const choosingNothing = (rest: ReadonlyArray<string>, files: ReadonlyArray<string>): ReadonlyArray<string> =>
  rest.filter((word, at) => {
    const before = rest[at - 1] ?? ""
    if (word.startsWith("-") || (before.startsWith("-") && !before.includes("="))) return false
    const text = word.replace(/^\.\//, "").replace(/:\d+$/, "")
    return !files.some((file) => file.includes(text))
  })
