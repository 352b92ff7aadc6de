/** What is to be done about a set, from what is there, what was there when it was decided, and what shall be. Pure. */
import { canonical } from "./Contents.ts"
import type { RecordSet } from "../../record-sets/RecordSet.ts"

/** `done`: it is as it shall be. */
export type Decision = "done" | "write" | "conflict"

/**
 * Contents decide; who changed a TTL alone has changed nothing that would be lost. `between`: contents that a write of
 * ours leaves when it breaks off half way: they are ours, and it goes on from there.
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
