/** Pages as a browser reads them, for pure tests: what is wrong with a document, and what stands in it. */
import { localTimes } from "#daemons/status-checker/publication/pages/LocalTimes.ts"
import { type DefaultTreeAdapterMap, parse } from "parse5"

type Node = DefaultTreeAdapterMap["node"]
export type Element = DefaultTreeAdapterMap["element"]

export interface Dom {
  /** What the parser complained of. */
  readonly errors: ReadonlyArray<string>
  readonly elements: ReadonlyArray<Element>
  /** By tag and, where given, class. */
  readonly all: (tag: string, className?: string) => ReadonlyArray<Element>
  readonly text: string
}

export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value

/** With every kind of blank as a plain one: ranges and percents have narrow ones that do not break. */
export const textOf = (node: Node): string =>
  "value" in node
    ? node.value.replace(/[\u00a0\u2009\u202f]/g, " ")
    : "childNodes" in node && !("tagName" in node && node.tagName === "style")
      ? node.childNodes.map(textOf).join("")
      : ""

export const read = (html: string): Dom => {
  const errors: Array<string> = []
  const document = parse(html, { onParseError: ({ code }) => errors.push(code) })
  const elements: Array<Element> = []
  const walk = (node: Node): void => {
    if ("tagName" in node) elements.push(node)
    if ("childNodes" in node) node.childNodes.forEach(walk)
  }
  walk(document)
  const all = (tag: string, className?: string) =>
    elements.filter(
      (one) =>
        one.tagName === tag &&
        (className === undefined || (attribute(one, "class") ?? "").split(" ").includes(className))
    )
  return { errors, elements, all, text: textOf(document) }
}

/**
 * What is wrong with its structure: ids twice, references to nothing, headings that skip a level, no or two main
 * headings, scripts other than that of the times, styles in attributes.
 */
export const flaws = ({ all, elements, errors }: Dom): ReadonlyArray<string> => {
  const ids = elements.flatMap((one) => attribute(one, "id") ?? [])
  const references = elements.flatMap((one) =>
    ["aria-labelledby", "aria-describedby", "for"]
      .flatMap((name) => attribute(one, name)?.split(" ") ?? [])
      .concat((attribute(one, "href") ?? "").startsWith("#") ? attribute(one, "href")!.slice(1) : [])
  )
  const levels = elements.flatMap(({ tagName }) => (/^h[1-6]$/.test(tagName) ? Number(tagName[1]) : []))
  return [
    ...errors,
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `id ${id} twice`),
    ...references.filter((id) => !ids.includes(id)).map((id) => `nothing is called ${id}`),
    ...levels.flatMap((level, at) =>
      at > 0 && level > levels[at - 1]! + 1 ? [`h${level} after h${levels[at - 1]}`] : []
    ),
    ...(levels.filter((level) => level === 1).length === 1 ? [] : ["not one h1"]),
    ...all("script").flatMap((one) => (textOf(one) === localTimes ? [] : ["a script"])),
    ...elements.flatMap(({ attrs, tagName }) =>
      attrs.filter(({ name }) => name === "style" || name.startsWith("on")).map(({ name }) => `${name} at ${tagName}`)
    )
  ]
}
