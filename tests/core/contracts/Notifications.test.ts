/** Lengths of the parts of a notification. */
import { Schema } from "effect"
import { expect, it } from "vitest"
import { maxBody, NotificationContent } from "#core/contracts/Notifications.ts"

const content = { type: "report.ready", category: "system", severity: "info", title: "T", body: "B" }
const accepts = Schema.is(NotificationContent)

it.each([
  ["type", 50],
  ["category", 30],
  ["title", 255],
  ["body", maxBody],
  ["icon", 50],
  ["entity_type", 30],
  ["entity_id", 36]
] as const)("%s has at most %i characters", (part, most) => {
  expect(accepts({ ...content, [part]: "a".repeat(most) })).toBe(true)
  expect(accepts({ ...content, [part]: "a".repeat(most + 1) })).toBe(false)
})
