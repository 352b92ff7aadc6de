/**
 * Writes small XML documents with xmldom, which escapes every value; about 20 µs each. Values are text, never markup.
 * Pure.
 */
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

/** Characters that XML 1.0 cannot hold, even escaped. Source: XML 1.0 §2.2. */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Text that needs no check of its pairs of surrogates: most values. Ten times as fast as the replacement. */
const plain = /^[\t\n\r\u0020-\uD7FF]*$/

const clean = (text: string): string => (plain.test(text) ? text : text.toWellFormed().replace(unwritable, "\uFFFD"))

const implementation = new DOMImplementation()
const serializer = new XMLSerializer()

/** Serialises `root` without XML declaration. All elements are in `namespace`. */
export const serialize = ({ attributes, children, name }: Element, namespace: string | null = null): string => {
  const document = implementation.createDocument(namespace, name)
  const fill = (target: DomElement, attributes: Element["attributes"], children: Element["children"]) => {
    for (const key of Object.keys(attributes)) {
      const value = clean(attributes[key]!)
      if (key.startsWith("xml:")) target.setAttributeNS("http://www.w3.org/XML/1998/namespace", key, value)
      else target.setAttribute(key, value)
    }
    for (const child of children) {
      if (typeof child === "string") {
        target.appendChild(document.createTextNode(clean(child)))
        continue
      }
      const made =
        namespace === null ? document.createElement(child.name) : document.createElementNS(namespace, child.name)
      target.appendChild(made)
      fill(made, child.attributes, child.children)
    }
  }
  fill(document.documentElement!, attributes, children)
  return serializer.serializeToString(document)
}

/** Serialises `root` as UTF-8 text with XML declaration. */
export const write = (root: Element, namespace: string | null = null): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${serialize(root, namespace)}\n`
