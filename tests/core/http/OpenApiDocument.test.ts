/** The completed document, and the documents of all daemons against OpenAPI's own schema. */
import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { top } from "#core/http/Api.ts"
import { completed } from "#core/http/OpenApiDocument.ts"
import { keyOf } from "#core/http/OperationTexts.ts"
import { operationWords } from "#core/http/OperationWords.ts"
import { merge } from "#core/gateway/MergedApi.ts"
import { daemons } from "#daemons/Suite.ts"
import packageJson from "../../../package.json" with { type: "json" }

const generated = {
  openapi: "3.1.0",
  info: { title: "T", version: "1", description: "About T." },
  paths: {
    "/a/{id}": {
      get: {
        operationId: "a",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1, maximum: 2 ** 31 - 1 } },
          { name: "q", in: "query", description: "Own words.", schema: { type: "string" } }
        ],
        responses: { 404: { description: "No", schema: { $ref: "#/components/schemas/NotFoundEncoded" } } }
      }
    }
  },
  components: {
    schemas: {
      NotFoundEncoded: {
        type: "object",
        properties: { n: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } }
      },
      TakenEncoded: { $ref: "#/components/schemas/TakenEncoded_1" },
      TakenEncoded_1: { type: "string" },
      ClashEncoded: { type: "string" },
      Clash: { type: "number" }
    },
    securitySchemes: { user: { type: "http", scheme: "Bearer" } }
  }
}

describe("a completed document", () => {
  const document = completed(generated) as any

  it("names schemas without technical suffixes, unless two would have one name", () => {
    assert.deepStrictEqual(Object.keys(document.components.schemas), [
      "NotFound",
      "Taken",
      "Taken_1",
      "ClashEncoded",
      "Clash"
    ])
    assert.deepStrictEqual(document.components.schemas.Taken, { $ref: "#/components/schemas/Taken_1" })
    assert.strictEqual(document.paths["/a/{id}"].get.responses[404].schema.$ref, "#/components/schemas/NotFound")
  })

  it("describes shared parameters, keeps an operation's own words, and drops the bounds of every integer", () => {
    const [id, q] = document.paths["/a/{id}"].get.parameters
    assert.strictEqual(id.description, "Identifier of the resource.")
    assert.deepStrictEqual(id.schema, { type: "integer", minimum: 1, maximum: 2 ** 31 - 1 })
    assert.strictEqual(q.description, "Own words.")
    assert.deepStrictEqual(document.components.schemas.NotFound.properties.n, { type: "integer" })
  })

  it("says how to authenticate, and where the server is", () => {
    assert.match(document.info.description, /^About T\.\n\n## How to authenticate/)
    assert.match(document.components.securitySchemes.user.description, /auth\/login/)
    assert.strictEqual(document.servers[0].url, "/")
  })
})

describe("the documents of the suite", () => {
  const documents = [
    ["all daemons of the gateway", merge(daemons.filter(({ ownPort }) => !ownPort))] as const,
    ...daemons.map(({ api, name }) => [name, merge([{ name, api }])] as const)
  ].map(([name, api]) => [name, OpenApi.fromApi(top(api)) as any] as const)

  it.each(documents)("%s: valid OpenAPI 3.1, of the package's version", async (_, document) => {
    const { errors, valid } = await new Validator().validate(structuredClone(document))
    assert.isTrue(valid, JSON.stringify(errors)?.slice(0, 2_000))
    assert.strictEqual(document.info.version, packageJson.version)
  })

  it.each(documents)("%s: unique tags and operation ids, no technical names", (_, document) => {
    const tags = document.tags.map(({ name }: { name: string }) => name)
    assert.deepStrictEqual(tags, [...new Set(tags)])
    const ids = Object.values<any>(document.paths).flatMap((item) =>
      Object.values<any>(item).map(({ operationId }) => operationId)
    )
    assert.deepStrictEqual(ids, [...new Set(ids)])
    assert.deepStrictEqual(
      Object.keys(document.components.schemas).filter((name) => name.includes("Encoded")),
      []
    )
  })

  it.each(documents)("%s: every operation has a summary and a description", (_, document) => {
    const bare = Object.entries<any>(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).flatMap(([method, { description = "", summary = "" }]) =>
        description.length > 10 && summary.length > 3 ? [] : [`${method.toUpperCase()} ${path}`]
      )
    )
    assert.deepStrictEqual(bare, [])
  })

  it("operations name the permission that they need", () => {
    const document = documents.find(([name]) => name === "identity")![1]
    assert.match(
      document.paths["/api/v1/users/{id}/unsuspend"].post.description,
      /Requires the permission `users\.manage`/
    )
  })

  it("all words belong to an operation that has none of its own", () => {
    const known = new Map(
      daemons.flatMap(({ api }) => {
        const own: Array<readonly [string, boolean]> = []
        HttpApi.reflect(top(api), {
          onGroup: () => {},
          onEndpoint: ({ endpoint }) =>
            own.push([
              keyOf(endpoint.method, endpoint.path),
              Context.getOption(endpoint.annotations, OpenApi.Description)._tag === "Some"
            ])
        })
        return own
      })
    )
    assert.deepStrictEqual(
      Object.keys(operationWords).filter((key) => known.get(key) !== false),
      []
    )
  })
})
