/** Writes XML for feeds and badges with xmldom, which escapes all values. Pure. */
import { DOMImplementation, type Element as DomElement, XMLSerializer } from "@xmldom/xmldom"

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Element | string>
}

export const element = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: ReadonlyArray<Element | string>
): Element => ({ name, attributes, children })

/** Characters that XML 1.0 cannot represent. Source: XML 1.0 §2.2. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const clean = (text: string): string => text.toWellFormed().replace(unwritable, "\uFFFD")

const implementation = new DOMImplementation()
const serializer = new XMLSerializer()

/** Complete document; all elements belong to `namespace`. */
export const write = (namespace: string, { attributes, children, name }: Element): string => {
  const document = implementation.createDocument(namespace, name)
  const fill = (target: DomElement, attributes: Element["attributes"], children: Element["children"]) => {
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("xml:")) target.setAttributeNS("http://www.w3.org/XML/1998/namespace", key, clean(value))
      else target.setAttribute(key, clean(value))
    }
    for (const child of children) {
      if (typeof child === "string") {
        target.appendChild(document.createTextNode(clean(child)))
        continue
      }
      const made = document.createElementNS(namespace, child.name)
      target.appendChild(made)
      fill(made, child.attributes, child.children)
    }
  }
  fill(document.documentElement!, attributes, children)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${serializer.serializeToString(document)}\n`
}
