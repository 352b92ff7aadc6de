/**
 * Made-up values for JSON schemas: the smallest value that the schema accepts, so that a request with it reaches the
 * handler. Pure. What a schema does not say, such as that a text is a domain name, is known by the name of the field.
 */
import fc from "fast-check"
import type { Json } from "#support/walk/Operations.ts"

/** Values by name of a field or parameter. `optional`: names of optional ones that are sent too. */
export type Examples = Readonly<Record<string, unknown>> & { readonly optional?: ReadonlyArray<string> }

/** Fixed, so that each run sends the same requests. */
const seed = 1

/** A value of the schema. `name`: the field or parameter that holds it. */
export const sample = (schema: Json, name: string, examples: Examples): unknown => {
  if (Object.hasOwn(examples, name)) {
    const value = examples[name]
    return schema.type === "array" && !Array.isArray(value) ? [value] : value
  }
  if (schema.enum !== undefined) return schema.enum[0]
  const choices = (schema.oneOf ?? schema.anyOf)?.filter(({ type }) => type !== "null")
  if (choices?.[0] !== undefined) return sample(choices[0], name, examples)
  const type = typeof schema.type === "string" ? schema.type : schema.type?.find((one) => one !== "null")
  if (type === "object" || schema.properties !== undefined) {
    const required = new Set([...(schema.required ?? []), ...(examples.optional ?? [])])
    // A change of nothing is refused.
    if (required.size === 0) for (const key of Object.keys(schema.properties ?? {}).slice(0, 1)) required.add(key)
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([key]) => required.has(key))
        .map(([key, inner]) => [key, sample(inner, key, examples)])
    )
  }
  if (type === "array") {
    return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, name, examples))
  }
  if (type === "boolean") return true
  if (type === "integer" || type === "number") {
    return Math.max(1, schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1)
  }
  return text(schema)
}

const text = ({ format, maxLength = Infinity, minLength = 0, pattern }: Json): string => {
  if (format === "date-time") return "2030-01-01T00:00:00Z"
  if (format === "date") return "2030-01-01"
  if (format === "uuid") return "00000000-0000-4000-8000-000000000001"
  if (format === "uri") return "https://example.org/"
  if (pattern === undefined) return "made-up".padEnd(minLength, "x").slice(0, maxLength)
  const fits = (value: string) => value.length >= minLength && value.length <= maxLength
  const [found] = fc.sample(fc.stringMatching(new RegExp(pattern)).filter(fits), { numRuns: 1, seed })
  return found!
}
