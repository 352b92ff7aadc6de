/** Figures of models, in the page's language. */
import { formatTag } from "../../lib/Format.ts"

const show = (value: number, options: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(formatTag(), options).format(value)

/** A number with at most two decimals. */
export const decimal = (value: number): string => show(value, { maximumFractionDigits: 2 })

/** A number with always as many decimals, so that it does not jump while it changes. */
export const fixed = (value: number, digits: number): string =>
  show(value, { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** A share such as "2.5%", with at most one decimal. `share`: 0 to 1. */
export const fineShare = (share: number): string => show(share, { style: "percent", maximumFractionDigits: 1 })
