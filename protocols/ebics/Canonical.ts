/**
 * Canonical XML 1.0 without comments of one element within its document. Pure. The element carries the namespaces that
 * its ancestors declare, as the recommendation requires for a part of a document. The text is made by the class of
 * xml-crypto. Source: REC-xml-c14n-20010315 §2.4.
 */
import type { Attr, Element } from "@xmldom/xmldom"
import { C14nCanonicalization } from "xml-crypto"

export const algorithm = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"

/** Canonical text of the element. `Document.ts` has refused what the class cannot write: processing instructions. */
export const canonical = (element: Element): string => {
  const copy = element.cloneNode(true) as Element
  for (let node = element.parentNode; node !== null && node.nodeType === node.ELEMENT_NODE; node = node.parentNode)
    for (const declaration of declarations(node as Element))
      if (!copy.hasAttribute(declaration.name)) copy.setAttributeNS(xmlnsNamespace, declaration.name, declaration.value)
  // The class has the types of the browser, and works on any tree.
  return new C14nCanonicalization().process(copy as unknown as Node, {})
}

const xmlnsNamespace = "http://www.w3.org/2000/xmlns/"

const declarations = (element: Element): ReadonlyArray<Attr> => {
  const found: Array<Attr> = []
  for (let at = 0; at < element.attributes.length; at++) {
    const attribute = element.attributes.item(at)
    if (attribute !== null && attribute.namespaceURI === xmlnsNamespace) found.push(attribute)
  }
  return found
}
