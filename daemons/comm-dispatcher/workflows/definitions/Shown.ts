import { storable } from "../../vocabulary/Exports.ts"
/** Makes external text safe for a notification. Pure. */

/** Longest external text in a notification. Unit: UTF-16 code units. Reason: it is part of a title. */
const mostShown = 100

export const shown = (text: string): string =>
  storable(text, mostShown)
    .replace(/\p{Cc}/gu, " ")
    .trim() || "?"
