/** Texts for the state of the softphone. Every page loads them, so there are few. */
import { words } from "../lib/Language.ts"

export const stateWords = words({
  en: {
    phone: "Softphone",
    off: "off",
    elsewhere: "in another tab",
    connecting: "connecting",
    registered: "registered",
    failed: "not reachable"
  },
  de: {
    phone: "Softphone",
    off: "aus",
    elsewhere: "in einem anderen Tab",
    connecting: "verbindet",
    registered: "angemeldet",
    failed: "nicht erreichbar"
  }
})
