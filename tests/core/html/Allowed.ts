/**
 * Parses a page like a browser (parse5 follows the HTML standard; the sanitiser's own parser does not) and lists
 * forbidden content. Independent of the sanitiser's tables.
 */
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5"

const forbidden = new Set(
  (
    "script style link meta base iframe frame frameset object embed applet form input button select textarea option svg math template noscript noembed " +
    "noframes title xmp plaintext video audio source track canvas portal marquee dialog slot map area details head isindex image picture"
  ).split(" ")
)

const attributes = new Set(
  (
    "align alt bgcolor border cellpadding cellspacing color colspan datetime dir face height lang nowrap rowspan size span start title type valign width " +
    "id name href src data-remote-src rel target style"
  ).split(" ")
)

/**
 * One sentence per fault; empty when the page is safe. `inline`: our own image addresses. `remote`: whether images from
 * the network are allowed.
 */
export const faultsOf = (html: string, inline: ReadonlyArray<string> = [], remote = false): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const visit = (nodes: ReadonlyArray<DefaultTreeAdapterTypes.ChildNode>): void => {
    for (const node of nodes) {
      if (node.nodeName === "#text") continue
      if (!("tagName" in node)) {
        faults.push(`a node ${node.nodeName}`)
        continue
      }
      if (forbidden.has(node.tagName) || node.tagName.includes("-") || node.tagName.includes(":"))
        faults.push(`element ${node.tagName}`)
      if (node.namespaceURI !== "http://www.w3.org/1999/xhtml") faults.push(`namespace ${node.namespaceURI}`)
      const held = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
      for (const { name, value } of node.attrs)
        if (!attributes.has(name) || !fits(name, value, inline, remote))
          faults.push(`${node.tagName} ${name}="${value}"`)
      if (/^[a-z]+:/.test(held["href"] ?? "") && (held["rel"] !== "noopener noreferrer" || held["target"] !== "_blank"))
        faults.push(`a link that keeps its opener: ${held["href"]}`)
      visit(node.childNodes)
    }
  }
  visit(parseFragment(html).childNodes)
  return faults
}

const fits = (name: string, value: string, inline: ReadonlyArray<string>, remote: boolean): boolean => {
  if (name === "href") return /^(?:https?:\/\/[^/\s]|mailto:|tel:|#mail-)/.test(value)
  if (name === "src")
    return (
      inline.includes(value) ||
      /^data:image\/(?:png|jpeg|gif|webp|bmp);base64,[\w+/=]+$/.test(value) ||
      (remote && /^https?:\/\//.test(value))
    )
  if (name === "data-remote-src") return /^https?:\/\//.test(value)
  if (name === "id" || name === "name") return value.startsWith("mail-")
  if (name === "style")
    return !/url|image-set|expression|behavior|binding|position|transform|import|[\\@{}]|\/\*|margin[^;]*:\s*-/i.test(
      value
    )
  return true
}
