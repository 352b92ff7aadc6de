/**
 * XML documents for the switch, written by xmldom in about 20 µs each and then cached. Source: shared wire sheet,
 * FreeSWITCH switch_xml.c.
 */
import { DOMImplementation, type Element, XMLSerializer } from "@xmldom/xmldom"

/** Element with name, attributes and children. The writer escapes the values. */
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

/** Element `<param name value>`, used for most settings of the switch. */
export const param = (name: string, value: string): Node => node("param", { name, value })

const implementation = new DOMImplementation()
const serializer = new XMLSerializer()

/** Document with one section. Its text is ASCII, so the number of characters equals the number of bytes. */
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
  // The switch expands $${…} in the text before it parses the XML.
  const text = serializer.serializeToString(document).replaceAll("$$", "&#36;&#36;")
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n${text.replace(beyondAscii, (one) => `&#${one.codePointAt(0)!};`)}\n`
}

const beyondAscii = /[^\u0000-\u007f]/gu
