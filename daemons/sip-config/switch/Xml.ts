/**
 * Documents for the switch, written by xmldom (some 20 µs each, and each is kept). Source: shared wire sheet,
 * FreeSWITCH switch_xml.c.
 */
import { DOMImplementation, type Element, XMLSerializer } from "@xmldom/xmldom"

/** An element by its name, attributes and children. Values are text: the writer escapes them. */
export interface Node {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Node>
}

export const node = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: ReadonlyArray<Node>
): Node => ({ name, attributes, children })

/** `<param name value>`, which most of the switch's settings are. */
export const param = (name: string, value: string): Node => node("param", { name, value })

const implementation = new DOMImplementation()
const serializer = new XMLSerializer()

/** The whole document with one section; ASCII, so that its length in characters is that in bytes. */
export const write = (section: string, ...content: ReadonlyArray<Node>): string => {
  const document = implementation.createDocument(null, "document")
  const fill = (element: Element, { attributes, children }: Omit<Node, "name">) => {
    for (const name in attributes) element.setAttribute(name, attributes[name]!)
    for (const child of children) {
      const made = document.createElement(child.name)
      element.appendChild(made)
      fill(made, child)
    }
  }
  fill(document.documentElement!, {
    attributes: { type: "freeswitch/xml" },
    children: [node("section", { name: section }, ...content)]
  })
  // The switch expands $${…} in the file, before it reads the XML.
  const text = serializer.serializeToString(document).replaceAll("$$", "&#36;&#36;")
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n${text.replace(beyondAscii, (one) => `&#${one.codePointAt(0)!};`)}\n`
}

const beyondAscii = /[^\u0000-\u007f]/gu
