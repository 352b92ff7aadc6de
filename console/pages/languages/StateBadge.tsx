import { words } from "../../lib/Language.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import type { TextState } from "./Shapes.ts"

const t = words({
  en: { stale: "Stale", missing: "Missing", automatic: "Automatic", manual: "Written" },
  de: { stale: "Veraltet", missing: "Fehlt", automatic: "Automatisch", manual: "Geschrieben" }
})

const tones: Readonly<Record<TextState, Tone>> = {
  stale: "warning",
  missing: "warning",
  automatic: "info",
  manual: "success"
}

export const stateWord = (state: TextState): string => t()[state]

/** Badge with the state of a text: whether and how it is translated. */
export const StateBadge = ({ of }: { readonly of: TextState }) => <Badge tone={tones[of]}>{t()[of]}</Badge>
