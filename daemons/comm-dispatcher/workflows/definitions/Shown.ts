import { storable } from "../../vocabulary/Exports.ts"
/** Words from outside as a notification may hold them. Pure. */

/** Unit: UTF-16 units. Reason: they stand in a title. */
const mostShown = 100

export const shown = (text: string): string =>
  storable(text, mostShown)
    .replace(/\p{Cc}/gu, " ")
    .trim() || "?"
