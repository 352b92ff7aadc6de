import { useSignal } from "@preact/signals"
import { OperationsPage } from "../OperationsPage.tsx"
import { Decisions } from "./Decisions.tsx"
import { Exemptions } from "./Exemptions.tsx"
import { Incidents } from "./Incidents.tsx"
import { Summary } from "./Summary.tsx"

/** Bans of all sources: summary, active bans, exemptions, and what happened. */
export default () => {
  /** Increases after each change, so that every part loads again. */
  const turn = useSignal(0)
  const changed = () => void turn.value++
  return (
    <OperationsPage section="bans">
      <Decisions turn={turn.value} changed={changed} />
      <Summary turn={turn.value} />
      <Exemptions turn={turn.value} changed={changed} />
      <Incidents turn={turn.value} />
    </OperationsPage>
  )
}
