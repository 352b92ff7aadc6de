import { money } from "../../lib/Format.ts"

/** An amount in its currency; money that went out has its own colour beside the sign. */
export const Money = ({ amount, currency }: { readonly amount: string; readonly currency: string }) => (
  <span class={amount.startsWith("-") ? "money out" : "money"}>{money(amount, currency)}</span>
)
