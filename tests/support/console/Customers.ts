// Customers for tests of console pages, and the field that finds them.

import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import type { Console } from "./Console.ts"

/** Creates a customer, by default of the provider's tenant. Returns its id. */
export const makeCustomer = async (
  { run, suite }: Console,
  number: string,
  name: string,
  tenant = 1
): Promise<number> => {
  const token = await run(suite.token)
  const { json, status } = await run(
    suite.call("POST", "/api/v1/crm/customers", { token, body: { tenant_id: tenant, number, name } })
  )
  expect(status).toBe(201)
  return json.id
}

/** Finds a customer by a part of its name or number and chooses it, with the keyboard alone. */
export const pickCustomer = async (place: Page | Locator, part: string, name: string): Promise<void> => {
  const field = place.getByRole("combobox", { name: "Customer" })
  await field.focus()
  await field.pressSequentially(part)
  await place.getByRole("option", { name: new RegExp(name) }).waitFor()
  await field.press("Enter")
  await place.getByText(name, { exact: false }).first().waitFor()
}
