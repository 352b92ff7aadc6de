/**
 * Writer of XML text for requests. Pure. It writes no white space between elements and no declaration of a namespace
 * except those of the caller, so that the canonical form of a part is its text plus the namespaces of the root.
 */

/** Attributes in the order of writing. */
export type Attributes = Readonly<Record<string, string>>

/** An element with markup inside; an element without content is written with start tag and end tag. */
export const element = (name: string, attributes: Attributes, ...content: ReadonlyArray<string>): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`)
    .join("")}>${content.join("")}</${name}>`

/** An element with text inside. */
export const leaf = (name: string, text: string, attributes: Attributes = {}): string =>
  element(name, attributes, escapeText(text))

/** Source: Canonical XML 1.0 §2.3, text nodes. */
const escapeText = (text: string): string =>
  text.replace(/[&<>\r]/g, (character) => textEscapes[character] ?? character)

const textEscapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;" }

/** Source: Canonical XML 1.0 §2.3, attribute nodes. */
const escapeAttribute = (text: string): string =>
  text.replace(/[&<"\t\n\r]/g, (character) => attributeEscapes[character] ?? character)

const attributeEscapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  '"': "&quot;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;"
}
