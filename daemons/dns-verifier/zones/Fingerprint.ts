/**
 * Fingerprint of the record sets that a plan changes. When it differs at apply time, the zone has changed and the plan
 * is stale. Pure.
 */
import { createHash } from "node:crypto"
import { contentsKey, setKey } from "../record-sets/CanonicalContent.ts"
import type { Step } from "./Plan.ts"
import type { RecordSet } from "../record-sets/RecordSet.ts"

/** Fingerprint of record sets; order and TTL do not count. */
export const fingerprint = (sets: ReadonlyArray<RecordSet>): string =>
  createHash("sha256")
    .update(JSON.stringify(sets.map((set) => `${setKey(set)} ${contentsKey(set.type, set.contents)}`).toSorted()))
    .digest("hex")

/**
 * Fingerprint of the sets that the steps change. A CNAME excludes other records, so it counts for every step at its
 * name, and a CNAME step counts every set at its name.
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
