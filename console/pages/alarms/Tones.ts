/** Colours for the states of attempts, targets and steps. */
import type { Tone } from "../../parts/Badge.tsx"
import type { Attempt, Step, Target } from "./Story.ts"

export const attemptTones: Readonly<Record<Attempt["state"], Tone>> = {
  attempting: "info",
  delivered: "success",
  failed: "error",
  uncertain: "warning",
  interrupted: "warning"
}

export const targetTones: Readonly<Record<Target["state"], Tone>> = {
  pending: "quiet",
  attempting: "info",
  delivered: "success",
  failed: "error",
  uncertain: "warning",
  suppressed: "quiet"
}

export const stepTones: Readonly<Record<Step["state"], Tone>> = {
  done: "success",
  running: "info",
  failed: "error",
  skipped: "quiet"
}
