/**
 * The page of an API document: operations by tag, with a filter. It loads nothing from other hosts, and works without
 * its script except for the filter. Pure.
 */
import { escaped } from "../html/Escape.ts"

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly items?: Schema
  readonly required?: ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, Schema>>
}

/** A body by media type, and its description. */
interface Body {
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
}

interface Operation {
  readonly tags?: ReadonlyArray<string>
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema?: Schema
    readonly example?: unknown
  }>
  readonly requestBody?: Body
  readonly responses?: Readonly<Record<string, Body>>
}

/** The parts of an OpenAPI 3.1 document that the page shows. */
interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    /** Problems by name of their schema. */
    readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value?: unknown }>>
  }
}

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
pre { margin: .3rem 0; padding: .5rem; background: #8882; overflow: auto; max-height: 24rem }
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

const resolved = (schema: Schema, document: Document): Schema => {
  const name = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? "")?.[1]
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {})
}

/** How a reader sees the type of a field: the name of its schema, its allowed values, or a word such as `string`. */
const typeOf = (schema: Schema): string => {
  const name = /[^/]+$/.exec(schema.$ref ?? "")?.[0]
  if (name !== undefined) return name
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ")
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" | ")
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`
  return schema.format ?? schema.type ?? "value"
}

const shape = (schema: Schema, document: Document, depth = 0): string => {
  const found = resolved(schema, document)
  if (found.type === "array") return shape(found.items ?? {}, document, depth)
  const fields = Object.entries(found.properties ?? {})
  if (fields.length === 0 || depth >= maxDepth) return ""
  const items = fields.map(([name, field]) => {
    const optional = found.required?.includes(name) === true ? "" : " (optional)"
    const description = field.description === undefined ? "" : `: ${words(field.description)}`
    const below = shape(field, document, depth + 1)
    return `<li><code>${words(name)}</code> ${words(typeOf(field))}${optional}${description}${below}</li>`
  })
  return `<ul class="shape">${items.join("")}</ul>`
}

/** Text for element content, where quotation marks need no escape. They are a tenth of the examples. */
const content = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const exampleOf = (example: unknown): string => {
  if (example === undefined) return ""
  const text = typeof example === "string" ? example : JSON.stringify(example, null, 2)
  return `<pre tabindex="0"><code>${content(text)}</code></pre>`
}

const bodyOf = (part: Body, document: Document): string =>
  Object.entries(part.content ?? {})
    .map(
      ([type, { example, schema = {} }]) =>
        `<p><code>${words(type)}</code> ${words(typeOf(schema))}</p>${shape(schema, document)}${exampleOf(example)}`
    )
    .join("")

const parametersOf = ({ parameters = [] }: Operation): string => {
  const items = parameters.map((one) => {
    const place = `${words(one.in)}${one.required === true ? "" : ", optional"}`
    const type = words(typeOf(one.schema ?? {}))
    const example = one.example === undefined ? "" : ` Such as <code>${words(one.example)}</code>.`
    return `<li><code>${words(one.name)}</code> (${place}) ${type}: ${words(one.description)}${example}</li>`
  })
  return items.length === 0 ? "" : `<h4>Parameters</h4><ul>${items.join("")}</ul>`
}

const operationOf = (path: string, method: string, one: Operation, document: Document): string => {
  const answers = Object.entries(one.responses ?? {}).map(
    ([status, answer]) => `<h4>${words(status)} ${words(answer.description)}</h4>${bodyOf(answer, document)}`
  )
  const searched = `${method} ${path} ${one.summary} ${one.operationId}`.toLowerCase()
  const body = one.requestBody === undefined ? "" : `<h4>Body</h4>${bodyOf(one.requestBody, document)}`
  return `<details data-words="${words(searched)}">
<summary><b>${words(method.toUpperCase())}</b> <code>${words(path)}</code> ${words(one.summary)}</summary>
${prose(one.description)}${parametersOf(one)}${body}${answers.join("")}</details>`
}

/** The problems that operations answer with, by the names that their answers show. */
const problemsOf = ({ components = {} }: Document): string => {
  const found = Object.entries(components.examples ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const list = found.map(
    ([name, { summary, value }]) =>
      `<details data-words="${words(`${name} ${summary}`.toLowerCase())}">
<summary><code>${words(name)}</code> ${words(summary)}</summary>${exampleOf(value)}</details>`
  )
  return list.length === 0 ? "" : `<section><h2>Problems</h2>${list.join("\n")}</section>`
}

/** The page of a document, as OpenApi.fromApi makes it. `guide`: path of the guide, where one is served. */
export const render = (made: object, guide?: string): string => {
  const document = made as Document
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({ tag: one.tags?.[0] ?? "", path, method, one }))
  )
  const tags = [...Map.groupBy(operations, ({ tag }) => tag)].map(([tag, ones]) => {
    const list = ones.map(({ method, one, path }) => operationOf(path, method, one, document))
    return `<section><h2>${words(tag)}</h2>${list.join("\n")}</section>`
  })
  const { description, title, version } = document.info
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words(title)} API</title><style>${style}</style></head><body>
<h1>${words(title)} API ${words(version)}</h1>${prose(description)}
<p>Generated from <a href="openapi.json">openapi.json</a>.${
    guide === undefined ? "" : ` For operators and users: <a href="${words(guide)}">guide</a>.`
  }</p>
<input type="search" aria-label="Filter" placeholder="Filter by path, method or word" hidden>
${tags.join("\n")}
${problemsOf(document)}
<script>${script}</script></body></html>
`
}
