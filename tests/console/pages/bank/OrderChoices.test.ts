import { expect, it } from "vitest"
import { orderChoices, orderTexts } from "../../../../console/pages/bank/accounts/OrderChoices.ts"

const service = { name: "EOP", scope: "CH", message: "camt.053" }
const before = [
  { order: "Z53", kind: "daily", service },
  { order: "C52", kind: "intraday" }
] as const

it("shows chosen order types by the kind of fetch, and reads them back with their services", () => {
  expect(orderTexts(before)).toEqual({ orders_daily: "Z53", orders_intraday: "C52" })
  expect(orderChoices(orderTexts(before), before)).toEqual(before)
  expect(orderTexts(null)).toEqual({ orders_daily: "", orders_intraday: "" })
})

it("reads codes in any letter case, with commas, semicolons or blanks between them", () => {
  expect(orderChoices({ orders_daily: " c53,sta; z53 ", orders_intraday: "" }, before)).toEqual([
    { order: "C53", kind: "daily" },
    { order: "STA", kind: "daily" },
    { order: "Z53", kind: "daily", service }
  ])
  // The same order of another kind is another service.
  expect(orderChoices({ orders_daily: "", orders_intraday: "Z53" }, before)).toEqual([
    { order: "Z53", kind: "intraday" }
  ])
  expect(orderChoices({ orders_daily: " , ", orders_intraday: "" }, before)).toBeNull()
})
