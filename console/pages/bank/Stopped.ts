/** Why fetching waits for a person. */
import { words } from "../../lib/Language.ts"

const t = words({
  en: {
    bank_keys_changed: "The bank has new keys: compare and accept them",
    other: (reason: string) => `Stopped: ${reason}`
  },
  de: {
    bank_keys_changed: "Die Bank hat neue Schlüssel: bitte vergleichen und annehmen",
    other: (reason: string) => `Angehalten: ${reason}`
  }
})

export const stoppedText = (reason: string): string =>
  reason === "bank_keys_changed" ? t().bank_keys_changed : t().other(reason)
