/** Documents for the switch. Each is written once and cached. Source: shared wire sheet, FreeSWITCH switch_xml.c. */
import { type Element, element, serialize } from "#core/html/Xml.ts"

/** `<param name value>`, the form of most of the switch's settings. */
export const param = (name: string, value: string): Element => element("param", { name, value })

/** The whole document with one section. ASCII, so its length in characters is its length in bytes. */
export const write = (section: string, ...content: ReadonlyArray<Element>): string => {
  const root = element("document", { type: "freeswitch/xml" }, element("section", { name: section }, ...content))
  // The switch expands $${…} in the file before it parses the XML.
  const text = serialize(root).replaceAll("$$", "&#36;&#36;")
  const ascii = text.replace(beyondAscii, (one) => `&#${one.codePointAt(0)!};`)
  return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n${ascii}\n`
}

const beyondAscii = /[^\u0000-\u007f]/gu
