/** Figures of models, in the page's language. */
import { language } from "../../lib/Language.ts"

const show = (value: number, digits: number, style: "decimal" | "percent"): string =>
  new Intl.NumberFormat(language.value === "de" ? "de-DE" : "en-GB", { style, maximumFractionDigits: digits }).format(
    value
  )

/** A number with at most two decimals. */
export const decimal = (value: number): string => show(value, 2, "decimal")

/** A score, always with two decimals. `value`: 0 to 1. */
export const score = (value: number): string =>
  value.toLocaleString(language.value === "de" ? "de-DE" : "en-GB", {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2
  })

/** A share such as "2.5%", with at most one decimal. `share`: 0 to 1. */
export const fineShare = (share: number): string => show(share, 1, "percent")
