/** Decides whether to write a set, from its current state, the state at planning time and the wanted state. Pure. */
import { canonical } from "./Contents.ts"
import type { RecordSet } from "../../record-sets/RecordSet.ts"

/** `done`: the set is as wanted. */
export type Decision = "done" | "write" | "conflict"

/**
 * Compares contents; a changed TTL alone is no conflict. `between`: contents that our own broken-off write can leave,
 * from which the write continues.
 */
export const decide = (
  current: RecordSet | null,
  before: RecordSet | null,
  after: RecordSet | null,
  between: ReadonlyArray<ReadonlyArray<string>> = []
): Decision => {
  if (sameContents(current, after))
    return after === null || after.ttl === null || after.ttl === current?.ttl ? "done" : "write"
  if (sameContents(current, before)) return "write"
  return between.some((contents) => same(contents, contentsOf(current))) ? "write" : "conflict"
}

const contentsOf = (set: RecordSet | null): ReadonlyArray<string> => set?.contents ?? []

const sameContents = (one: RecordSet | null, other: RecordSet | null): boolean =>
  same(
    contentsOf(one).map((content) => canonical(one!.type, content)),
    contentsOf(other).map((content) => canonical(other!.type, content))
  )

const same = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean => {
  const [first, second] = [new Set(one), new Set(other)]
  return first.size === second.size && [...first].every((content) => second.has(content))
}
