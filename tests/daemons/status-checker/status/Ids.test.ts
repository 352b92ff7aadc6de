import { it } from "@effect/vitest"
import fc from "fast-check"
import { expect } from "vitest"
import { idFor, idPattern, maxIdLength, slugOf } from "#daemons/status-checker/status/Ids.ts"

const day = new Date("2026-01-31T23:59:59Z")

it("an id consists of day and title, and of a number if that id is taken", () => {
  expect(slugOf("Störung: Größe & Café (DNS)…")).toBe("stoerung-groesse-cafe-dns")
  const taken = new Set(["2026-01-31-outage-webmail", "2026-01-31-outage-webmail-2"])
  expect(idFor(day, "Outage: Webmail", () => false)).toBe("2026-01-31-outage-webmail")
  expect(idFor(day, "Outage: Webmail", (id) => taken.has(id))).toBe("2026-01-31-outage-webmail-3")
  expect(idFor(day, "障害", () => false)).toBe("2026-01-31")
  expect(idFor(day, "word ".repeat(60), () => false)).toBe(`2026-01-31-${"word-".repeat(8).slice(0, -1)}`)
})

it("the id is valid and needs no escape in a URL for any title", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (title) => {
      const id = idFor(day, title, () => false)
      expect(id).toMatch(idPattern)
      expect(encodeURIComponent(id)).toBe(id)
      expect(id.length).toBeLessThanOrEqual(maxIdLength)
    })
  )
})
