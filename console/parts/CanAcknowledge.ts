import type { Run } from "./RunBadges.tsx"

/** States of runs that were not sent. */
const unsent: ReadonlyArray<Run["state"]> = ["rejected", "duplicate", "acknowledgement"]

/** Whether the run can be acknowledged: a sent alarm without an acknowledgement. Pure. */
export const canAcknowledge = ({
  acknowledged_at,
  state,
  workflow
}: Pick<Run, "acknowledged_at" | "state" | "workflow">): boolean =>
  workflow === "alarm" && acknowledged_at === null && !unsent.includes(state)
