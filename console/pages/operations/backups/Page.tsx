import { useSignal } from "@preact/signals"
import { may } from "../../../lib/Me.ts"
import { OperationsPage } from "../OperationsPage.tsx"
import { Drills } from "./Drills.tsx"
import { Jobs } from "./Jobs.tsx"
import { Repository } from "./Repository.tsx"
import { Retention } from "./Retention.tsx"
import { Schedules } from "./Schedules.tsx"

/** Backups: schedules, runs with progress, drills, and what is in the repository. */
export default () => {
  /** Increases when a job was requested, so that the lists of jobs load at once. */
  const requested = useSignal(0)
  const begun = () => void requested.value++
  return (
    <OperationsPage section="backups">
      <Schedules begun={begun} />
      <Jobs turn={requested.value} />
      <Drills turn={requested.value} begun={begun} manages={may("backups.manage")} />
      <Repository turn={requested.value} />
      <Retention />
    </OperationsPage>
  )
}
