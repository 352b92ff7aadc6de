import { useSignal } from "@preact/signals"
import { OperationsPage } from "../OperationsPage.tsx"
import { Heartbeats } from "./Heartbeats.tsx"
import { Maintenance } from "./Maintenance.tsx"
import { OpenAlerts } from "./OpenAlerts.tsx"
import { PastAlerts } from "./PastAlerts.tsx"
import { Rules } from "./Rules.tsx"
import { Silences } from "./Silences.tsx"
import { TestMessage } from "./TestMessage.tsx"

/** Alerts: open ones by cause, past ones, silences, maintenance, and how people are told. */
export default () => {
  /** Increases after each change, so that alerts and silences load again. */
  const turn = useSignal(0)
  const changed = () => void turn.value++
  return (
    <OperationsPage section="alerts" actions={<TestMessage />}>
      <OpenAlerts turn={turn.value} changed={changed} />
      <Silences turn={turn.value} changed={changed} />
      <Maintenance changed={changed} />
      <PastAlerts />
      <Rules />
      <Heartbeats />
    </OperationsPage>
  )
}
