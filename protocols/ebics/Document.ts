/**
 * Reader of XML documents of the bank. Pure. A document is refused before a tree of it exists when it has a document
 * type declaration (so there are no entities of its own), a processing instruction, another encoding than UTF-8, or
 * exceeds a bound. The check runs in saxes, the tree is of @xmldom/xmldom; both must accept the document.
 *
 * Elements are found by their place below a parent, never by a search through the document, and a second element of the
 * same name is an error: a signature cannot be evaded by moving the signed element elsewhere.
 */
import { DOMParser, type Document as XmlDocument, type Element, onWarningStopParsing } from "@xmldom/xmldom"
import { Result } from "effect"
import { SaxesParser } from "saxes"
import { EbicsError, malformed, tooLarge } from "./EbicsError.ts"
import { maxDepth, maxElements } from "./Limits.ts"

export type { Element }

/** Parses `bytes`. `limit`: most bytes, with the name of its constant. */
export const parse = (
  bytes: Uint8Array,
  limit: { readonly name: string; readonly bytes: number }
): Result.Result<Element, EbicsError> => {
  if (bytes.length > limit.bytes) return Result.fail(tooLarge(limit.name))
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return Result.fail(malformed("the text is not UTF-8"))
  }
  return attempt(() => {
    check(text)
    const document: XmlDocument = new DOMParser({ onError: onWarningStopParsing }).parseFromString(text, "text/xml")
    if (document.documentElement === null) throw malformed("there is no root element")
    return document.documentElement
  })
}

/** Runs a reader of this file. Its typed errors become a failed result; any error of a parser is `Malformed`. */
export const attempt = <A>(read: () => A): Result.Result<A, EbicsError> => {
  try {
    return Result.succeed(read())
  } catch (error) {
    return Result.fail(error instanceof EbicsError ? error : malformed("the text is not well-formed XML"))
  }
}

const check = (text: string): void => {
  const parser = new SaxesParser({ xmlns: true })
  let [depth, elements] = [0, 0]
  parser.on("doctype", () => {
    throw malformed("a document type declaration is not allowed")
  })
  parser.on("processinginstruction", () => {
    throw malformed("a processing instruction is not allowed")
  })
  parser.on("xmldecl", ({ encoding, version }) => {
    if (version !== "1.0") throw malformed("the XML version is not 1.0")
    if (encoding !== undefined && encoding.toUpperCase() !== "UTF-8") throw malformed("the text is not UTF-8")
  })
  parser.on("opentag", () => {
    if (++depth > maxDepth) throw tooLarge("maxDepth")
    if (++elements > maxElements) throw tooLarge("maxElements")
  })
  parser.on("closetag", () => {
    depth--
  })
  parser.on("error", () => {
    throw malformed("the text is not well-formed XML")
  })
  parser.write(text).close()
}

/** Child elements of any name. */
export const children = (parent: Element): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let node = parent.firstChild; node !== null; node = node.nextSibling)
    if (node.nodeType === node.ELEMENT_NODE) found.push(node as Element)
  return found
}

/** Child elements with this local name in the namespace of the parent, or in `namespace`. */
export const childrenOf = (
  parent: Element,
  name: string,
  namespace: string | null = parent.namespaceURI
): ReadonlyArray<Element> =>
  children(parent).filter((child) => child.localName === name && child.namespaceURI === namespace)

/** The only child element with this name; undefined when there is none. Throws `Malformed` for a second one. */
export const optional = (parent: Element, name: string, namespace?: string): Element | undefined => {
  const [first, second] = childrenOf(parent, name, namespace ?? parent.namespaceURI)
  if (second !== undefined) throw malformed(`${name} occurs twice`)
  return first
}

/** The only child element with this name. Throws `Malformed` when there is none or a second one. */
export const required = (parent: Element, name: string, namespace?: string): Element => {
  const found = optional(parent, name, namespace)
  if (found === undefined) throw malformed(`${name} is missing`)
  return found
}

/** Text of an element without child elements, with white space collapsed as for `xs:token`. */
export const textOf = (element: Element): string => {
  if (children(element).length > 0) throw malformed(`${element.localName ?? ""} contains elements`)
  return (element.textContent ?? "").replace(/[ \t\r\n]+/g, " ").trim()
}

/** Bytes of an element with base64 text. White space is ignored. Throws `Malformed` for any other character. */
export const base64Of = (element: Element): Buffer => {
  const name = element.localName ?? ""
  if (children(element).length > 0) throw malformed(`${name} contains elements`)
  const text = (element.textContent ?? "").replace(/[ \t\r\n]+/g, "")
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw malformed(`${name} is not base64`)
  return Buffer.from(text, "base64")
}
