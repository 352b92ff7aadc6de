// The record of a mutation sample: one JSON line for each drawn mutant, then one for each result. A run that stopped
// resumes from it.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Mutant } from "./Mutants.ts"

export interface Result {
  /** Number of the mutant, from 1. */
  readonly mutant: number
  /** `unfinished`: no red test within the time limit. `moved`: the source changed since the draw. */
  readonly verdict: "killed" | "survived" | "unfinished" | "moved"
  /** Test file and test that turned red, and its error; `hangs` for a run that did not end. */
  readonly by?: string
  readonly error?: string
  /** Number of test files that ran, and that the import graph reaches. */
  readonly ran: number
  readonly reached: number
  /** Test files that are red without the mutant too. */
  readonly unusable: ReadonlyArray<string>
  readonly seconds: number
}

export interface Sample {
  readonly mutants: ReadonlyArray<Mutant>
  /** The last result of each mutant. */
  readonly results: ReadonlyMap<number, Result>
}

export const readRecord = (path: string): Sample | undefined => {
  if (!existsSync(path)) return undefined
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean)
  const entries = lines.map((line) => JSON.parse(line) as { drawn: Mutant } | { result: Result })
  return {
    mutants: entries.flatMap((entry) => ("drawn" in entry ? [entry.drawn] : [])),
    results: new Map(entries.flatMap((entry) => ("result" in entry ? [[entry.result.mutant, entry.result]] : [])))
  }
}

export const startRecord = (path: string, mutants: ReadonlyArray<Mutant>): Sample => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, mutants.map((drawn) => `${JSON.stringify({ drawn })}\n`).join(""))
  return { mutants, results: new Map() }
}

export const addResult = (path: string, result: Result): void => appendFileSync(path, `${JSON.stringify({ result })}\n`)

/** One line of the table. */
export const formatResult = (mutant: Mutant, result: Result): string =>
  [
    String(result.mutant).padStart(3),
    result.verdict.padEnd(10),
    `${result.seconds} s`.padStart(6),
    `${result.ran}/${result.reached}`.padStart(8),
    `${mutant.file}:${mutant.line}`,
    `${mutant.kind}: ${short(mutant.original)} -> ${short(mutant.replacement)}`,
    ...(result.by === undefined ? [] : [`by ${result.by}`]),
    ...(result.unusable.length === 0 ? [] : [`red without it: ${result.unusable.join(", ")}`])
  ].join("  ")

const short = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim()
  return line === "" ? "nothing" : line.length > 50 ? `${line.slice(0, 49)}…` : line
}
