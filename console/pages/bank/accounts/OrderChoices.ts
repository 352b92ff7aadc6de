/** Order types of an account, as the form has them: one text of codes for each kind of fetch. Pure. */
import type { Account } from "../Shapes.ts"

type Choices = NonNullable<Account["order_types"]>
type Kind = Choices[number]["kind"]

/** Texts of the form; empty: the usual order types. */
export interface OrderTexts {
  readonly orders_daily: string
  readonly orders_intraday: string
}

const kinds = ["daily", "intraday"] as const

const textOf = (choices: Choices | null, kind: Kind): string =>
  (choices ?? [])
    .filter((choice) => choice.kind === kind)
    .map(({ order }) => order)
    .join(", ")

export const orderTexts = (choices: Choices | null): OrderTexts => ({
  orders_daily: textOf(choices, "daily"),
  orders_intraday: textOf(choices, "intraday")
})

/** Choices of the texts; null: the usual order types. An order that was chosen before keeps its service of H005. */
export const orderChoices = (texts: OrderTexts, before: Choices | null): Choices | null => {
  const chosen = kinds.flatMap((kind) =>
    texts[`orders_${kind}`]
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((order) => order !== "")
      .map((order) => before?.find((one) => one.order === order && one.kind === kind) ?? { order, kind })
  )
  return chosen.length === 0 ? null : chosen
}
