import { percent } from "../../../lib/Format.ts"
import { words } from "../../../lib/Language.ts"
import type { Training } from "../Shapes.ts"
import { phaseWord } from "../Words.ts"

const t = words({
  en: { label: (word: string) => `Phases of ${word}` },
  de: { label: (word: string) => `Phasen von ${word}` }
})

/** The seven phases of a training with their progress. */
export const Phases = ({ of: { phase: current, phases, word } }: { readonly of: Training }) => (
  <ol class="wake-phases" aria-label={t().label(word)}>
    {phases.map(({ phase, progress }) => (
      <li key={phase} aria-current={phase === current ? "step" : undefined}>
        <span>{phaseWord(phase)}</span>
        <progress value={progress} max={1} aria-label={phaseWord(phase)} />
        <span class="number">{percent(progress)}</span>
      </li>
    ))}
  </ol>
)
