import { useSignal } from "@preact/signals"
import { may } from "../../lib/Me.ts"
import { Models } from "./models/Models.tsx"
import { Trainings } from "./training/Trainings.tsx"
import { TrainForm } from "./training/TrainForm.tsx"
import { WakeWordPage } from "./WakeWordPage.tsx"

/** Trains words, shows the progress of trainings, and the models that they made. */
export default () => {
  /** Increase when a training begins, and when one ends. */
  const begun = useSignal(0)
  const ended = useSignal(0)
  return (
    <WakeWordPage section="models">
      {may("wakeword.manage") ? <TrainForm begun={() => void begun.value++} /> : null}
      <Trainings turn={begun.value} ended={() => void ended.value++} />
      <Models turn={ended.value} />
    </WakeWordPage>
  )
}
