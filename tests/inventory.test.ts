/**
 * Nothing that others rely on disappears unnoticed. `inventory.json` holds the state before features became folders. A
 * line leaves the file only together with the thing that it names, and the commit says why.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { type Inventory, inventory, lost } from "#support/Inventory.ts"

const before: Inventory = JSON.parse(readFileSync(join(import.meta.dirname, "inventory.json"), "utf8"))
const now = inventory(join(import.meta.dirname, ".."))

it.each(Object.keys(before))("%s: nothing is lost", (name) => {
  expect(lost({ [name]: before[name]! }, now)).toEqual([])
})

it("every list is read from the source", () => {
  for (const [name, lines] of Object.entries(now)) expect(lines.length, name).toBeGreaterThan(0)
})

it("a missing and a changed line are reported", () => {
  const endpoints = before["endpoints"]!
  const [first, ...others] = endpoints
  expect(lost({ endpoints }, { endpoints: [...others, `${first} changed`] })).toEqual([`endpoints: ${first}`])
})
