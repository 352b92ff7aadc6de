/** How it is told whether calls arrive here. In the frame of every page, so these are few. */
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
