import { describe, expect, it } from "vitest"
import { changedPayload, draftOf, newPayload, wayBack } from "../../../../console/pages/telephony/Draft.ts"
import type { Field } from "../../../../console/pages/telephony/Kind.ts"

const label = () => ""
const fields: ReadonlyArray<Field> = [
  { name: "name", label, input: { kind: "text" }, required: true },
  { name: "email", label, input: { kind: "text" }, nullable: true },
  { name: "port", label, input: { kind: "number", min: 1, max: 9 } },
  { name: "trunk_id", label, input: { kind: "thing", of: "trunk" }, nullable: true },
  { name: "password", label, input: { kind: "secret" } },
  { name: "enabled", label, input: { kind: "check" }, initial: true },
  { name: "phones", label, input: { kind: "list", add: label, ordered: true } },
  { name: "destination", label, input: { kind: "destination" } }
]
const row = {
  id: 1,
  name: "Ann",
  email: "ann@a.test",
  port: 5,
  trunk_id: 3,
  enabled: true,
  phones: ["1", "2"],
  destination_type: "extension",
  destination_id: 7
}

describe("what of a form is sent", () => {
  it("leaves out what is empty in a new one, and turns numbers into numbers", () => {
    const draft = {
      ...draftOf(fields),
      name: " Ann ",
      port: "5",
      phones: ["1", " "],
      destination: { destination_type: "external", destination_id: 2 }
    }
    expect(newPayload(fields, draft)).toEqual({
      name: "Ann",
      port: 5,
      enabled: true,
      phones: ["1"],
      destination_type: "external",
      destination_id: 2
    })
  })

  it("sends nothing of what stayed", () => {
    expect(changedPayload(fields, draftOf(fields, row), row)).toEqual({})
  })

  it("sends what differs: emptied as null where that may be, in both halves of a destination, and a password as it is", () => {
    const draft = {
      ...draftOf(fields, row),
      name: "",
      email: "",
      trunk_id: "",
      phones: ["2", "1"],
      enabled: false,
      password: " a b ",
      destination: { destination_type: "external", destination_id: 7 }
    }
    expect(changedPayload(fields, draft, row)).toEqual({
      name: "",
      email: null,
      trunk_id: null,
      phones: ["2", "1"],
      enabled: false,
      password: " a b ",
      destination_type: "external",
      destination_id: 7
    })
  })
})

describe("what takes a change back", () => {
  const back = (change: object, sent: object = change) => wayBack(fields, { ...row, ...change }, row, { ...sent })

  it("sends the former values of what differs, also of destinations and emptied fields", () => {
    expect(back({ name: "Anna", phones: ["2", "1"] })).toEqual({ name: "Ann", phones: ["1", "2"] })
    expect(back({ email: null })).toEqual({ email: "ann@a.test" })
    expect(wayBack(fields, row, { ...row, email: null }, {})).toEqual({ email: null })
    expect(back({ destination_id: 9 })).toEqual({ destination_type: "extension", destination_id: 7 })
  })

  it("is not there without a difference, and after a new secret", () => {
    expect(back({})).toBeUndefined()
    expect(back({ name: "Anna" }, { name: "Anna", password: "new" })).toBeUndefined()
  })
})
