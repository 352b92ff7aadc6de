/**
 * Benchmark of mail-watcher: memory and processor time per watched mailbox, time from new mail to its event, and a page
 * of a large folder.
 */
import { Effect } from "effect"
import type { Figure } from "../Figure.ts"
import { latency } from "./Latency.ts"
import { listing } from "./Listing.ts"
import { watching } from "./Watching.ts"

export const run = async (): Promise<ReadonlyArray<Figure>> => {
  const figures: Array<Figure> = []
  for (const part of [watching, latency, listing]) figures.push(...(await Effect.runPromise(part)))
  return figures
}
