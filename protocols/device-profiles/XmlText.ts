/** Writes the XML files of telephones with @xmldom/xmldom, which escapes text and attributes. Pure. */
import { DOMImplementation, type Document, type Element, XMLSerializer } from "@xmldom/xmldom"
import { oneLine } from "./Text.ts"

/** An element with text or with elements inside. */
export interface Node {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly content: string | ReadonlyArray<Node>
}

/** `root` as a UTF-8 document. Names are constants of the callers; text passes `oneLine`. */
export const write = (root: Node, namespace?: string): string => {
  const document = new DOMImplementation().createDocument(namespace ?? null, root.name)
  fill(document, document.documentElement!, root, namespace)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(document)}\n`
}

const fill = (document: Document, element: Element, { attributes = {}, content }: Node, namespace?: string): void => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, oneLine(value))
  if (typeof content === "string") {
    element.appendChild(document.createTextNode(oneLine(content)))
    return
  }
  for (const node of content) {
    const child = document.createElementNS(namespace ?? null, node.name)
    fill(document, child, node, namespace)
    element.appendChild(child)
  }
}
