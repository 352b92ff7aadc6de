import { describe, it } from "@effect/vitest"
import { expect } from "vitest"
import { bodyInputs } from "./BodyInputs.ts"
import { operationsOf } from "./Operations.ts"

const schema = {
  type: "object",
  required: ["name", "list"],
  properties: {
    name: { type: "string", maxLength: 3, enum: ["abc"] },
    count: { anyOf: [{ type: "integer", minimum: 1, maximum: 5 }, { type: "null" }] },
    list: { type: "array", minItems: 1, maxItems: 2, items: { $ref: "#/components/schemas/Item" } }
  }
} as const
const document = {
  components: {
    schemas: {
      Item: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string" }, more: { type: "object", properties: { deep: { type: "boolean" } } } }
      }
    }
  },
  paths: { "/things": { post: { requestBody: { content: { "application/json": { schema } } } } } }
}
const right = { method: "POST", path: "/things", headers: { authorization: "x" }, body: "" }
const { inputs, untried } = bodyInputs(right, operationsOf(document)[0]!.bodies["application/json"]!, {
  name: "abc",
  list: [{ id: "1" }]
})
const bodies = new Map(inputs.map(({ name, wire }) => [name, String(wire.body)]))
const of = (field: string) =>
  [...bodies.keys()].filter((name) => name.startsWith(`${field}: `)).map((name) => name.slice(field.length + 2))

describe("the wrong bodies of a schema", () => {
  it("are every field's, down to the items of a list", () => {
    const noText = [
      "null instead",
      "boolean instead",
      "number instead",
      "fraction instead",
      "array instead",
      "object instead"
    ]
    const text = ["NUL", "lone surrogate", "too long"]
    expect(of("body.name")).toEqual([
      "missing",
      ...noText,
      ...text,
      "unknown value",
      "twice, the last one wrong",
      "deep"
    ])
    expect(of("body.list[0].id")).toEqual(["missing", ...noText, ...text, "twice, the last one wrong", "deep"])
    expect(of("body.count")).toEqual([
      "boolean instead",
      "fraction instead",
      "string instead",
      "array instead",
      "object instead",
      "too small",
      "too great",
      "beyond integers",
      "endless number",
      "great number",
      "twice, the last one wrong",
      "deep"
    ])
    expect(of("body.list")).toEqual(expect.arrayContaining(["missing", "object instead", "too many", "too few"]))
    expect(of("body")).toEqual(
      expect.arrayContaining(["malformed", "empty", "null instead", "array instead", "deep lists", "over the limit"])
    )
  })

  it("are what their names say", () => {
    expect(bodies.get("body.name: missing")).toBe(`{"list":[{"id":"1"}]}`)
    expect(bodies.get("body.name: NUL")).toBe(`{"name":"abc\\u0000","list":[{"id":"1"}]}`)
    expect(bodies.get("body.name: too long")).toBe(`{"name":"xxxx","list":[{"id":"1"}]}`)
    expect(bodies.get("body.list[0].id: lone surrogate")).toBe(`{"name":"abc","list":[{"id":"1\\ud800"}]}`)
    expect(bodies.get("body.list[0].id: twice, the last one wrong")).toBe(
      `{"name":"abc","list":[{"id":"1","id":["x"]}]}`
    )
    expect(bodies.get("body.count: endless number")).toBe(`{"name":"abc","list":[{"id":"1"}],"count":1e999}`)
  })

  it("say where nothing could be tried", () => expect(untried).toEqual(["body.list[0].more"]))
})
