import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { readFileSync } from "node:fs"
import { utc } from "#daemons/status-checker/status/Fields.ts"
import {
  decodeIncidents,
  maxIncidents,
  maxUpdates,
  unknownComponents,
  writtenKey
} from "#daemons/status-checker/status-files/IncidentFile.ts"
import { parse } from "#daemons/status-checker/status-files/JsonText.ts"

const update = {
  status: "investigating",
  message: "Wir suchen.",
  message_en: "We look.",
  timestamp: "2026-01-31T09:00:00+01:00"
}
const incident = {
  id: "2026-01 Mail",
  title: "Störung",
  title_en: "Trouble",
  status: "investigating",
  severity: "minor",
  components: ["mail"],
  created_at: "2026-01-31T08:00:00Z",
  resolved_at: null,
  updates: [update]
}
const taken = (json: unknown) => Result.getOrThrow(decodeIncidents(json))
const problem = (json: unknown) =>
  Result.match(decodeIncidents(json), { onFailure: (text) => text, onSuccess: () => undefined })
const at = (timestamp: string, more: object = {}) => ({ ...update, timestamp, ...more })

describe("INCIDENTS_FILE", () => {
  it("is shipped as an example that can be read", () => {
    const { value, warnings } = taken(Result.getOrThrow(parse(readFileSync("config/status/incidents.json"))))
    expect(warnings).toEqual([])
    expect(value.incidents[0]).toMatchObject({
      id: "2026-01-31-mail",
      status: "resolved",
      created_at: "2026-01-31T08:00:00.000Z",
      resolved_at: "2026-01-31T09:30:00.000Z"
    })
  })

  it("converts times to UTC, sorts updates, and keeps the original spelling", () => {
    const updates = [
      at("2026-01-31T12:00:00+02:00", { status: "monitoring" }),
      at("2026-01-31 08:30Z"),
      at("2026-01-31T09:29:59.9999+0100")
    ]
    const {
      value: { incidents, written },
      warnings
    } = taken({ incidents: [{ ...incident, updates }] })
    expect(warnings).toEqual([])
    expect(incidents).toEqual([
      {
        ...incident,
        created_at: "2026-01-31T08:00:00.000Z",
        updates: [
          { ...update, timestamp: "2026-01-31T08:29:59.999Z" },
          { ...update, timestamp: "2026-01-31T08:30:00.000Z" },
          { ...update, status: "monitoring", timestamp: "2026-01-31T10:00:00.000Z" }
        ]
      }
    ])
    expect(written.get(writtenKey(incident.id, "2026-01-31T10:00:00.000Z"))).toBe("2026-01-31T12:00:00+02:00")
  })

  it("is refused when two updates of an incident have the same time, which identifies them", () => {
    expect(problem({ incidents: [{ ...incident, updates: [update, at("2026-01-31T08:00:00.000Z")] }] })).toBe(
      'incidents[0].updates[1].timestamp equals that of another update of "2026-01 Mail": it identifies the update, so give each a unique one'
    )
    expect(taken([incident, { ...incident, id: "other" }]).value.incidents).toHaveLength(2)
  })

  it("names the position of an error", () => {
    const wrong: ReadonlyArray<readonly [object, string]> = [
      [{ id: "" }, "id must not be empty"],
      [{ id: 7 }, "id must be a text in quotes"],
      [{ id: "a/b" }, "id must not contain a slash"],
      [{ id: ".." }, "id must not contain a slash"],
      [{ id: "a\u0000b" }, "id must not contain control characters"],
      [{ title: "a\nb" }, "title must not contain control characters"],
      [{ status: undefined }, "status must be one of investigating, identified, monitoring, resolved"],
      [{ severity: undefined }, "severity must be one of"],
      [{ components: ["mail", "a b"] }, "components[1] must be 1 to 64 characters"],
      [{ created_at: "2026-02-30T08:00:00Z" }, "created_at is not a calendar day"],
      [{ resolved_at: "gestern" }, "resolved_at must be a time with its offset"],
      [{ resolved_at: Number.NaN }, "resolved_at must be a text in quotes"],
      [
        { updates: [{ ...update, message: "a\u0000" }] },
        "updates[0].message must not contain control characters other than line breaks"
      ],
      [{ updates: [{ ...update, message: "x".repeat(10_001) }] }, "updates[0].message must be at most 10000"],
      [{ updates: {} }, "updates must be a list [ ]"]
    ]
    for (const [change, said] of wrong)
      expect(problem({ incidents: [{ ...incident, ...change }] })).toContain(`incidents[0].${said}`)
    expect(problem([incident, incident])).toBe('[1].id is "2026-01 Mail", as [0].id is: give each incident a unique id')
    expect(problem({ services: [] })).toBe('must be a list [ ], or an object with a list under "incidents"')
  })

  it("loses one value by an unknown word or a missing offset, and says so", () => {
    const { value, warnings } = taken([
      {
        ...incident,
        status: "open",
        severity: "none",
        created_at: "2026-01-31T08:00:00",
        updates: [{ ...update, status: "done", timestamp: "2026-01-31 09:00" }]
      },
      { ...incident, id: "ended", status: "toString", resolved_at: "2026-01-31T10:00:00Z" }
    ])
    expect(value.incidents[0]).toMatchObject({
      status: "investigating",
      severity: "minor",
      created_at: "2026-01-31T08:00:00.000Z",
      updates: [
        {
          status: "investigating",
          message: "done: Wir suchen.",
          message_en: "done: We look.",
          timestamp: "2026-01-31T09:00:00.000Z"
        }
      ]
    })
    expect(value.incidents[1]!.status).toBe("resolved")
    expect(warnings).toEqual([
      '[0].status is "open", which is none of investigating, identified, monitoring, resolved: investigating is taken',
      '[0].severity is "none", which is none of minor, major, critical: minor is taken',
      '[0].created_at is "2026-01-31T08:00:00", without an offset such as Z or +01:00: it is taken as UTC',
      '[0].updates[0].status is "done", which is none of investigating, identified, monitoring, resolved: investigating is taken',
      '[0].updates[0].timestamp is "2026-01-31 09:00", without an offset such as Z or +01:00: it is taken as UTC',
      '[1].status is "toString", which is none of investigating, identified, monitoring, resolved: resolved is taken'
    ])
  })

  it("derives missing fields from others, with a warning", () => {
    const { components: _, title_en: __, updates: ___, ...bare } = incident
    expect(taken([bare]).value.incidents[0]).toMatchObject({
      title_en: "Störung",
      components: [],
      updates: [],
      resolved_at: null
    })
    const { value, warnings } = taken([
      {
        ...incident,
        status: "resolved",
        updates: [at("2026-01-31T11:00:00Z"), at("2026-01-31T10:00:00Z", { status: "resolved" })]
      }
    ])
    expect(value.incidents[0]!.resolved_at).toBe("2026-01-31T10:00:00.000Z")
    expect(warnings).toEqual([
      "[0].resolved_at is missing though its status is resolved: 2026-01-31T10:00:00.000Z is taken"
    ])
    expect(taken([{ ...incident, resolved_at: "2026-01-31T10:00:00Z" }]).warnings).toEqual([
      "[0].resolved_at is given though its status is investigating: write status resolved, or null"
    ])
    expect(
      taken([{ ...incident, updates: [{ ...update, message: "Zeile\r\n\tzwei", message_en: null }] }]).value
        .incidents[0]!.updates[0]
    ).toMatchObject({ message: "Zeile\r\n\tzwei", message_en: "Zeile\r\n\tzwei" })
  })

  it("warns about unknown components", () => {
    const { incidents } = taken([{ ...incident, components: ["mail", "constructor", "mail"] }]).value
    expect(incidents[0]!.components).toEqual(["mail", "constructor"])
    expect(unknownComponents(incidents, new Set(["mail"]))).toEqual([
      'incident "2026-01 Mail" names the component "constructor", which SERVICES_FILE does not declare'
    ])
  })

  it("has bounds", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...incident, id: `i${index}` }))
    expect(taken(many(maxIncidents)).value.incidents).toHaveLength(maxIncidents)
    expect(problem(many(maxIncidents + 1))).toContain("has 2001 incidents: at most 2000 are allowed")
    const long = (count: number) => [
      { ...incident, updates: Array.from({ length: count }, (_, index) => at(new Date(index).toISOString())) }
    ]
    expect(taken(long(maxUpdates)).value.incidents[0]!.updates).toHaveLength(maxUpdates)
    expect(problem(long(maxUpdates + 1))).toMatch(/^\[0\]\.updates /)
  })

  it("never throws for any content", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        decodeIncidents(value)
        decodeIncidents([value])
        decodeIncidents([
          { ...incident, id: value },
          { ...incident, updates: [{ ...update, timestamp: value }], components: [value] }
        ])
      })
    )
  })
})

describe("moments", () => {
  it("are equal in UTC for any offset", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(1e9), max: new Date("2200-01-01"), noInvalidDate: true }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        (date, offset) => {
          const two = (value: number) => String(Math.abs(value)).padStart(2, "0")
          const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
          const zone = `${offset < 0 ? "-" : "+"}${two(Math.trunc(offset / 60))}:${two(offset % 60)}`
          expect(utc(local + zone)).toEqual(Result.succeed(date.toISOString()))
          expect(utc(local + zone.replace(":", ""))).toEqual(Result.succeed(date.toISOString()))
        }
      )
    )
  })

  it("must be existing dates and times", () => {
    for (const text of [
      "2024-02-29T00:00Z",
      "2026-01-31T23:59:59z",
      "2026-01-31T09:00:00+01",
      "2026-01-31T08:00:00,5Z"
    ])
      expect(Result.isSuccess(utc(text))).toBe(true)
    for (const text of [
      "2026-02-29T00:00Z",
      "2026-13-01T00:00Z",
      "2026-01-31T24:00Z",
      "2026-01-31T08:60Z",
      "2026-01-31T08:00:60Z",
      "2026-01-31",
      "1769846400",
      "2026-01-31T08:00:00",
      "2026-01-31T08:00:00+25:00",
      "1969-12-31T23:59:59Z",
      " 2026-01-31T08:00Z"
    ]) {
      expect(Result.isFailure(utc(text))).toBe(true)
    }
  })
})
