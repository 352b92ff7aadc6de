/**
 * The page of an API document: operations by tag, with a filter. It loads nothing from other hosts, and works without
 * its script except for the filter. Pure.
 */
import { escaped } from "../html/Escape.ts"

/** A part of a JSON document. */
type Json = Readonly<Record<string, any>>

/** Deepest level of a shape that is shown. Reason: shapes may contain themselves. */
const maxDepth = 4

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1rem }
input { width: 100%; font: inherit; padding: .4rem; box-sizing: border-box; position: sticky; top: 0 }
summary { cursor: pointer; overflow-wrap: anywhere }
details { border-bottom: 1px solid #8884; padding: .3rem 0 }
code { font-size: .9em }
b { display: inline-block; min-width: 4.5em }
.shape { margin: 0; padding-left: 1.2rem }
[hidden] { display: none }`

/** Hides operations that lack one of the words, and tags without operations. The filter is part of the address. */
const script = `
const filter = document.querySelector("input")
const apply = () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean)
  for (const tag of document.querySelectorAll("section")) {
    let shown = 0
    for (const one of tag.querySelectorAll("details")) {
      const text = one.dataset.words
      one.hidden = !words.every((word) => text.includes(word))
      if (!one.hidden) shown++
    }
    tag.hidden = shown === 0
  }
  history.replaceState(null, "", filter.value === "" ? location.pathname : "#" + encodeURIComponent(filter.value))
}
filter.value = decodeURIComponent(location.hash.slice(1))
filter.hidden = false
filter.addEventListener("input", apply)
if (filter.value !== "") apply()`

const words = (text: unknown): string => escaped(String(text ?? ""))

/** Text with `code`, and paragraphs. */
const prose = (text: unknown): string =>
  words(text)
    .split(/\n{2,}/)
    .map((part) =>
      part.startsWith("## ") ? `<h2>${part.slice(3)}</h2>` : `<p>${part.replace(/`([^`]+)`/g, "<code>$1</code>")}</p>`
    )
    .join("")

const resolved = (schema: Json, document: Json): Json => {
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema["$ref"] ?? ""))?.[1]
  return name === undefined ? schema : (document["components"]?.schemas?.[name] ?? {})
}

/** Short name of a type. */
const typeOf = (schema: Json): string => {
  const name = /[^/]+$/.exec(String(schema["$ref"] ?? ""))?.[0]
  if (name !== undefined) return name
  if (Array.isArray(schema["enum"])) return schema["enum"].map((one: unknown) => JSON.stringify(one)).join(" | ")
  if (Array.isArray(schema["anyOf"])) return schema["anyOf"].map((one: Json) => typeOf(one)).join(" | ")
  if (schema["type"] === "array") return `list of ${typeOf(schema["items"] ?? {})}`
  return String(schema["format"] ?? schema["type"] ?? "value")
}

const shape = (schema: Json, document: Json, depth = 0): string => {
  const found = resolved(schema, document)
  if (found["type"] === "array") return shape(found["items"] ?? {}, document, depth)
  const required: ReadonlyArray<string> = found["required"] ?? []
  const fields = Object.entries<Json>(found["properties"] ?? {})
  if (fields.length === 0 || depth >= maxDepth) return ""
  const items = fields.map(([name, field]) => {
    const optional = required.includes(name) ? "" : " (optional)"
    const description = field["description"] === undefined ? "" : `: ${words(field["description"])}`
    const below = shape(field, document, depth + 1)
    return `<li><code>${words(name)}</code> ${words(typeOf(field))}${optional}${description}${below}</li>`
  })
  return `<ul class="shape">${items.join("")}</ul>`
}

const bodyOf = (part: Json | undefined, document: Json): string =>
  Object.entries<Json>(part?.["content"] ?? {})
    .map(
      ([type, { schema = {} }]) =>
        `<p><code>${words(type)}</code> ${words(typeOf(schema))}</p>${shape(schema, document)}`
    )
    .join("")

const operation = (path: string, method: string, one: Json, document: Json): string => {
  const parameters = ((one["parameters"] ?? []) as ReadonlyArray<Json>).map(
    ({ description, in: place, name, required, schema = {} }) =>
      `<li><code>${words(name)}</code> (${words(place)}${required === true ? "" : ", optional"}) ${words(typeOf(schema))}: ${words(description)}</li>`
  )
  const answers = Object.entries<Json>(one["responses"] ?? {}).map(
    ([status, answer]) => `<h4>${words(status)} ${words(answer["description"])}</h4>${bodyOf(answer, document)}`
  )
  const searched = `${method} ${path} ${one["summary"]} ${one["operationId"]}`.toLowerCase()
  return `<details data-words="${words(searched)}"><summary><b>${words(method.toUpperCase())}</b> <code>${words(path)}</code> ${words(one["summary"])}</summary>
${prose(one["description"])}${parameters.length === 0 ? "" : `<h4>Parameters</h4><ul>${parameters.join("")}</ul>`}
${one["requestBody"] === undefined ? "" : `<h4>Body</h4>${bodyOf(one["requestBody"], document)}`}${answers.join("")}</details>`
}

/** The page of a document. */
export const render = (document: Json): string => {
  const operations = Object.entries<Json>(document["paths"] ?? {}).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, one]) => ({ tag: String(one["tags"]?.[0] ?? ""), path, method, one }))
  )
  const tags = [...Map.groupBy(operations, ({ tag }) => tag)].map(
    ([tag, ones]) =>
      `<section><h2>${words(tag)}</h2>${ones.map(({ method, one, path }) => operation(path, method, one, document)).join("\n")}</section>`
  )
  const { description, title, version } = document["info"]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words(title)} API</title><style>${style}</style></head><body>
<h1>${words(title)} API ${words(version)}</h1>${prose(description)}
<p>Generated from <a href="openapi.json">openapi.json</a>.</p>
<input type="search" aria-label="Filter" placeholder="Filter by path, method or word" hidden>
${tags.join("\n")}
<script>${script}</script></body></html>
`
}
