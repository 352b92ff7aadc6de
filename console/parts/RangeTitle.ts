import { words } from "../lib/Language.ts"
import type { RangeName } from "./Ranges.ts"

const t = words({
  en: { hour: "Last hour", day: "Last 24 hours", week: "Last 7 days", month: "Last 30 days" },
  de: { hour: "Letzte Stunde", day: "Letzte 24 Stunden", week: "Letzte 7 Tage", month: "Letzte 30 Tage" }
})

export const rangeTitle = (name: RangeName): string => t()[name]
