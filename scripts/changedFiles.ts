// Files that differ from a revision, by git.

import { execFileSync } from "node:child_process"

const git = (root: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()

export const isRevision = (root: string, word: string): boolean => {
  try {
    git(root, "rev-parse", "--verify", "--quiet", `${word}^{commit}`)
    return true
  } catch {
    return false
  }
}

/**
 * Paths of files that differ from `revision`, uncommitted and new ones included. Empty revision: the merge base with
 * main, or HEAD when there is no branch main.
 */
export const changedFiles = (root: string, revision: string): ReadonlyArray<string> => {
  const base = revision !== "" ? revision : isRevision(root, "main") ? git(root, "merge-base", "main", "HEAD") : "HEAD"
  const lists = [git(root, "diff", "--name-only", base), git(root, "ls-files", "--others", "--exclude-standard")]
  return [...new Set(lists.flatMap((list) => list.split("\n")).filter((path) => path !== ""))]
}
