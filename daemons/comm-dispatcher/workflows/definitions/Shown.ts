/** Words from outside as a notification may hold them. Pure. */
import { storable } from "../../vocabulary/StorableText.ts"

/** Unit: UTF-16 units. Reason: they stand in a title. */
const mostShown = 100

export const shown = (text: string): string =>
  storable(text, mostShown)
    .replace(/\p{Cc}/gu, " ")
    .trim() || "?"
