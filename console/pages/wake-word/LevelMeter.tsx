import type { Signal } from "@preact/signals"
import { words } from "../../lib/Language.ts"
import { meterOf } from "../../wake-word/WakeWord.ts"

const t = words({ en: { level: "Level of the microphone" }, de: { level: "Pegel des Mikrofons" } })

/** Level meter in decibels. `level`: root mean square, 0 to 1. */
export const LevelMeter = ({ level }: { readonly level: Signal<number> }) => (
  <meter class="wake-meter" min={0} max={1} value={meterOf(level.value)} aria-label={t().level} />
)
