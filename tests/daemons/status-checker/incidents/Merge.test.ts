import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { merge } from "#daemons/status-checker/incidents/Merge.ts"
import type { Incident, IncidentUpdate } from "#daemons/status-checker/status/Model.ts"
import { incidentStatuses, severities } from "#daemons/status-checker/status/Vocabulary.ts"

/** Few moments and few ids, so that they meet. */
const moment = fc.nat(6).map((hour) => new Date(Date.UTC(2026, 0, 31, hour)).toISOString())

const update: fc.Arbitrary<IncidentUpdate> = fc.record({
  status: fc.constantFrom(...incidentStatuses),
  message: fc.string(),
  message_en: fc.string(),
  timestamp: moment
})

const incident: fc.Arbitrary<Incident> = fc.record({
  id: fc.constantFrom("a", "b", "c", "constructor", "__proto__"),
  title: fc.string(),
  title_en: fc.string(),
  status: fc.constantFrom(...incidentStatuses),
  severity: fc.constantFrom(...severities),
  components: fc.array(fc.constantFrom("mail", "web")),
  created_at: moment,
  resolved_at: fc.option(moment),
  updates: fc.uniqueArray(update, { selector: ({ timestamp }) => timestamp })
})

const list = fc.uniqueArray(incident, { selector: ({ id }) => id })

const shuffled = <A>(items: ReadonlyArray<A>, seed: number): Array<A> =>
  items
    .map((item, index) => ({ item, key: (index * 7919 + seed) % 11 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

const keys = (incidents: ReadonlyArray<Incident>) =>
  new Set(incidents.flatMap(({ id, updates }) => [id, ...updates.map(({ timestamp }) => `${id} ${timestamp}`)]))

describe("the merge of file and database", () => {
  it("has every incident exactly once, and no other", () => {
    fc.assert(
      fc.property(list, list, (file, stored) => {
        const merged = merge(file, stored)
        expect(keys(merged)).toEqual(keys([...file, ...stored]))
        expect(new Set(merged.map(({ id }) => id)).size).toBe(merged.length)
        for (const { updates } of merged)
          expect(new Set(updates.map(({ timestamp }) => timestamp)).size).toBe(updates.length)
      })
    )
  })

  it("prefers the texts of the file, of an incident and of each update", () => {
    fc.assert(
      fc.property(list, list, (file, stored) => {
        for (const { updates, ...words } of merge(file, stored)) {
          const own = file.find(({ id }) => id === words.id)
          const other = stored.find(({ id }) => id === words.id)
          expect({ ...words, updates }).toEqual({ ...(own ?? other), updates })
          for (const update of updates) {
            const same = ({ timestamp }: IncidentUpdate) => timestamp === update.timestamp
            expect(update).toEqual(own?.updates.find(same) ?? other?.updates.find(same))
          }
        }
      })
    )
  })

  it("has the newest incident and the oldest update first, for any input order", () => {
    fc.assert(
      fc.property(list, list, fc.nat(), (file, stored, seed) => {
        const merged = merge(file, stored)
        expect(merge(shuffled(file, seed), shuffled(stored, seed + 1))).toEqual(merged)
        for (const [index, { created_at, updates }] of merged.entries()) {
          if (index > 0) expect(created_at <= merged[index - 1]!.created_at).toBe(true)
          expect(updates.map(({ timestamp }) => timestamp)).toEqual(updates.map(({ timestamp }) => timestamp).sort())
        }
      })
    )
  })

  it("is idempotent", () => {
    fc.assert(
      fc.property(list, list, (file, stored) => {
        const merged = merge(file, stored)
        expect(merge(merged, stored)).toEqual(merged)
        expect(merge(file, merged)).toEqual(merged)
        expect(merge(merged, merged)).toEqual(merged)
      })
    )
  })

  it("recognises one time in two spellings", () => {
    const [one] = fc.sample(incident, 1)
    const words = { status: "resolved", message: "Datei", message_en: "file" } as const
    const file = { ...one!, updates: [{ ...words, timestamp: "2026-01-31T08:00:00.000Z" }] }
    const stored = { ...one!, updates: [{ ...words, message: "Datenbank", timestamp: "2026-01-31T08:00:00+00:00" }] }
    expect(merge([file], [stored])[0]!.updates).toEqual(file.updates)
  })
})
