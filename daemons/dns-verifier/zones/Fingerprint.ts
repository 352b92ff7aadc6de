/**
 * What a plan saw where it changes something: another fingerprint by then, and the plan is for a zone that is no more.
 * Pure.
 */
import { createHash } from "node:crypto"
import { contentsKey, setKey } from "../record-sets/CanonicalContent.ts"
import type { Step } from "./Plan.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"

/** Of some sets; their order and how long they live do not count. */
export const fingerprint = (sets: ReadonlyArray<RecordSet>): string =>
  createHash("sha256")
    .update(JSON.stringify(sets.map((set) => `${setKey(set)} ${contentsKey(set.type, set.contents)}`).toSorted()))
    .digest("hex")

/**
 * Of the places of the steps; an alias stands alone, so it counts for every step at its name, and for its own step all
 * there is.
 */
export const setsFingerprint = (
  sets: ReadonlyArray<RecordSet>,
  steps: ReadonlyArray<Pick<Step, "type" | "name">>
): string =>
  fingerprint(
    sets.filter((set) =>
      steps.some(
        (step) => step.name === set.name && (step.type === set.type || step.type === "CNAME" || set.type === "CNAME")
      )
    )
  )
