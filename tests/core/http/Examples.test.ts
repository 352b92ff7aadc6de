/** Examples of API documents: how they are made, and that each one of the suite decodes with its schema. */
import { assert, describe, it } from "@effect/vitest"
import { Exit, Schema } from "effect"
import { HttpApi, type HttpApiEndpoint, HttpApiSchema, OpenApi } from "effect/http-api"
import { top } from "#core/http/Api.ts"
import { exampleOf, withExamples } from "#core/http/Examples.ts"
import { operationExamples } from "#core/http/OperationExamples.ts"
import { keyOf } from "#core/http/OperationTexts.ts"
import { merge } from "#core/gateway/MergedApi.ts"
import { daemons } from "#daemons/Suite.ts"

describe("an example", () => {
  const schemas = {
    Node: { type: "object", required: ["id"], properties: { id: { type: "integer" }, below: list("Node") } },
    Endless: { type: "object", required: ["self"], properties: { self: { $ref: "#/components/schemas/Endless" } } }
  }
  function list(name: string) {
    return { type: "array", items: { $ref: `#/components/schemas/${name}` } }
  }
  const made = (schema: object, name?: string) => exampleOf(schema as never, schemas, name)

  it("is that of the schema, else a value for the name, else one of its type", () => {
    assert.strictEqual(made({ type: "string", examples: ["own"] }, "email"), "own")
    assert.strictEqual(made({ type: "string" }, "email"), "anna@example.org")
    assert.strictEqual(made({ type: "string" }, "no_such_name"), "text")
    assert.strictEqual(made({ type: "string", format: "date" }), "2030-01-31")
    assert.strictEqual(made({ type: "string", enum: ["x", "y"] }, "email"), "x")
    assert.strictEqual(made({ const: 3 }), 3)
    assert.strictEqual(made({ type: "string" }, "read_at"), "2030-01-31T12:00:00Z")
    assert.strictEqual(exampleOf({ type: "string" }, {}, "id", "calls"), "0192f0c1-5b7e-7c3a-9d54-3f1b2a6c8e70")
    assert.strictEqual(exampleOf({ type: "string" }, {}, "id", "users"), "7")
  })

  it("keeps to patterns, lengths and bounds", () => {
    assert.strictEqual(made({ type: "string", pattern: "^[A-Z]+$" }, "email"), "TEXT")
    assert.strictEqual(made({ type: "string", minLength: 100 }), "text".repeat(25))
    assert.strictEqual(made({ type: "integer", minimum: 70, maximum: 90 }), 70)
    assert.strictEqual(made({ type: "integer", maximum: 0 }), 0)
    assert.strictEqual(
      made({ type: "string", allOf: [{ minLength: 12 }, { pattern: "^2030" }] }),
      "2030-01-31T12:00:00Z"
    )
  })

  it("prefers a value to null, and has no words for numbers without a JSON form", () => {
    assert.strictEqual(made({ anyOf: [{ type: "null" }, { type: "integer" }] }), 1)
    assert.strictEqual(made({ anyOf: [{ type: "string", enum: ["NaN", "Infinity"] }, { type: "number" }] }), 1)
  })

  it("has all fields, and ends at a shape that contains itself", () => {
    assert.deepStrictEqual(made({ $ref: "#/components/schemas/Node" }), { id: 7, below: [] })
    assert.isUndefined(made({ $ref: "#/components/schemas/Endless" }))
    assert.deepStrictEqual(made({ type: "object", additionalProperties: { type: "boolean" } }), { text: true })
  })

  it("is at the parameters, the body and the successful answers of an operation", () => {
    const json = (schema: object) => ({ content: { "application/json": { schema } } })
    const made = withExamples(
      {
        parameters: [{ name: "id", in: "path", schema: { type: "string" } }],
        requestBody: json({ type: "string" }),
        responses: {
          200: json({ type: "boolean" }),
          201: { content: { "text/csv": {} } },
          400: json({ type: "string" }),
          404: { content: { "application/problem+json": { schema: { type: "string" } } } }
        }
      },
      "/things/{id}",
      {},
      "own"
    ) as any
    assert.strictEqual(made.parameters[0].example, "7")
    assert.strictEqual(made.requestBody.content["application/json"].example, "own")
    assert.strictEqual(made.responses[200].content["application/json"].example, true)
    assert.match(made.responses[201].content["text/csv"].example, /^name,email\n/)
    assert.property(made.responses[400].content["application/json"], "example")
    assert.notProperty(made.responses[404].content["application/problem+json"], "example")
  })
})

/** Media types whose bodies are bytes in a format of another program. */
const bytes = ["application/octet-stream", "application/pdf", "application/x-apple-aspen-config", "audio/wav"]

describe("the examples of the suite", () => {
  /** A schema of an endpoint with the media type of its body. */
  const bodies = (schemas: Iterable<Schema.Top>) =>
    Array.from(schemas).filter(({ ast }) => !HttpApiSchema.isNoContent(ast))

  const decodes = (schemas: ReadonlyArray<Schema.Top>, example: unknown): string | undefined => {
    const exits = schemas.map((schema) =>
      Schema.decodeUnknownExit(schema as Schema.Codec<unknown>, { errors: "all", onExcessProperty: "error" })(example)
    )
    if (exits.some(Exit.isSuccess)) return undefined
    return exits.map(String).join(" | ")
  }

  const rows = daemons.flatMap(({ api, name }) => {
    const document = OpenApi.fromApi(top(merge([{ name, api }]))) as any
    const found: Array<{
      key: string
      endpoint: HttpApiEndpoint.Top
      operation: any
      examples: any
      failures: Schema.Top[]
    }> = []
    HttpApi.reflect(top(api), {
      onGroup: () => {},
      onEndpoint: ({ endpoint, errors }) => {
        const key = keyOf(endpoint.method, endpoint.path)
        const path = Object.keys(document.paths).find((one) => keyOf(endpoint.method, one) === key)
        const operation = document.paths[path!]?.[endpoint.method.toLowerCase()]
        found.push({
          key,
          endpoint,
          operation,
          examples: document.components.examples ?? {},
          failures: [...errors.values()].flat()
        })
      }
    })
    return found
  })

  /** Problems that an operation refers to: status, name of the example. */
  const problems = (operation: any): ReadonlyArray<readonly [status: string, ref: string]> =>
    Object.entries<any>(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.values<any>(content["application/problem+json"]?.examples ?? {}).map(
        ({ $ref }) => [status, $ref.replace("#/components/examples/", "")] as const
      )
    )

  /** Bodies, and answers that are no problems, of an operation: where, media type, media object. */
  const contents = (operation: any): ReadonlyArray<readonly [where: string, type: string, media: any]> => [
    ...Object.entries<any>(operation.requestBody?.content ?? {}).map(([type, media]) => ["body", type, media] as const),
    ...Object.entries<any>(operation.responses)
      .flatMap(([status, { content = {} }]) =>
        Object.entries<any>(content).map(([type, media]) => [status, type, media] as const)
      )
      .filter(([, type]) => type !== "application/problem+json")
  ]

  it("no operation is without, except for bodies of bytes", () => {
    assert.isAbove(rows.length, 400)
    const missing = rows.flatMap(({ key, operation }) => [
      ...contents(operation)
        .filter(([, type, media]) => media.example === undefined && !bytes.includes(type.split(";")[0]!))
        .map(([where, type]) => `${key} ${where} ${type}`),
      ...operation.parameters
        .filter(({ example }: any) => example === undefined)
        .map((one: any) => `${key} parameter ${one.name}`)
    ])
    assert.deepStrictEqual(missing, [])
  })

  it("bodies and answers decode with their schemas", () => {
    const wrong = rows.flatMap(({ endpoint, failures, key, operation }) => {
      const payloads = bodies([...endpoint.payload.values()].flatMap(({ schemas }) => schemas))
      return contents(operation).flatMap(([where, type, { example }]) => {
        if (!type.includes("json")) return []
        const found = where === "body" ? payloads : bodies(where.startsWith("2") ? endpoint.success : failures)
        const problem = decodes(found, example)
        return problem === undefined ? [] : [`${key} ${where}: ${problem}\n${JSON.stringify(example)}`]
      })
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("every problem that an operation declares has one, which decodes with its schema", () => {
    const wrong = rows.flatMap(({ examples, failures, key, operation }) => {
      const referred = problems(operation)
      const statuses = new Set(referred.map(([status]) => status))
      const missing = Object.entries<any>(operation.responses)
        .filter(([status, { content = {} }]) => "application/problem+json" in content && !statuses.has(status))
        .map(([status]) => `${key} ${status}: none`)
      return [
        ...missing,
        ...referred.flatMap(([status, name]) => {
          const { value } = examples[name]
          const problem = String(value.status) === status ? decodes(failures, value) : `has status ${value.status}`
          return problem === undefined ? [] : [`${key} ${status} ${name}: ${problem}\n${JSON.stringify(value)}`]
        })
      ]
    })
    assert.deepStrictEqual(wrong, [])
    const alternatives = rows.flatMap(({ operation }) =>
      Object.values<any>(operation.responses).flatMap(({ content = {} }) => {
        const { examples = {}, schema } = content["application/problem+json"] ?? {}
        const declared = schema === undefined ? 0 : (schema.anyOf?.length ?? 1)
        return declared === Object.keys(examples).length ? [] : [`${operation.operationId}: ${JSON.stringify(schema)}`]
      })
    )
    assert.deepStrictEqual(alternatives, [])
  })

  it("parameters decode with their schemas", () => {
    const wrong = rows.flatMap(({ endpoint, key, operation }) =>
      (["path", "query", "header"] as const).flatMap((place) => {
        const schema = { path: endpoint.params, query: endpoint.query, header: endpoint.headers }[place]
        const given = operation.parameters.filter((one: any) => one.in === place)
        if (schema === undefined || given.length === 0) return []
        const values = Object.fromEntries(given.map((one: any) => [one.name, one.example]))
        const problem = decodes([schema as Schema.Top], values)
        return problem === undefined ? [] : [`${key} ${place}: ${problem}\n${JSON.stringify(values)}`]
      })
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("all own bodies belong to an operation with a body", () => {
    const known = new Set(rows.filter(({ operation }) => operation.requestBody !== undefined).map(({ key }) => key))
    assert.deepStrictEqual(
      Object.keys(operationExamples).filter((key) => !known.has(key)),
      []
    )
  })
})
