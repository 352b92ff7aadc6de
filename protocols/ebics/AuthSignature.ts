/**
 * AuthSignature: the signature of a message by the authentication key X002. Pure. It covers the canonical form of every
 * element with `authenticate="true"`, one after the other. Source: EBICS 2.5 §11.1 and 3.0 §11.1; XML Signature.
 *
 * A verified signature says nothing about elements without the attribute, so `verify` returns the signed elements and
 * readers of a response take return codes and keys only from these. OrderData itself is not signed in a response; it is
 * bound to it by the transaction and the key in DataEncryptionInfo.
 */
import type { Element } from "@xmldom/xmldom"
import { createHash, type KeyObject, sign as signBytes, timingSafeEqual, verify as verifyBytes } from "node:crypto"
import { Result } from "effect"
import { algorithm as c14n, canonical } from "./Canonical.ts"
import * as Document from "./Document.ts"
import { EbicsError } from "./EbicsError.ts"
import { maxMessage } from "./Limits.ts"
import { element, leaf } from "./Markup.ts"
import { dsNamespace } from "./Version.ts"

const signatureMethod = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
const digestMethod = "http://www.w3.org/2001/04/xmlenc#sha256"
const reference = "#xpointer(//*[@authenticate='true'])"

/** Parts of a message around the place of its signature. */
export interface Unsigned {
  /** Name of the root element. */
  readonly root: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, string>>
  /** Markup of the header and of the body. */
  readonly header: string
  readonly body: string
}

/** Text of a message, with `between` after its header. */
export const assemble = (message: Unsigned, between: string = ""): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    message.root,
    { xmlns: message.namespace, "xmlns:ds": dsNamespace, ...message.attributes },
    message.header,
    between,
    message.body
  )}`

/** Text of the message with its signature. */
export const sign = (message: Unsigned, key: KeyObject): Result.Result<string, EbicsError> =>
  Result.gen(function* () {
    const root = yield* parsed(assemble(message))
    const info = element(
      "ds:SignedInfo",
      {},
      element("ds:CanonicalizationMethod", { Algorithm: c14n }),
      element("ds:SignatureMethod", { Algorithm: signatureMethod }),
      element(
        "ds:Reference",
        { URI: reference },
        element("ds:Transforms", {}, element("ds:Transform", { Algorithm: c14n })),
        element("ds:DigestMethod", { Algorithm: digestMethod }),
        leaf("ds:DigestValue", digestOf(authenticated(root)).toString("base64"))
      )
    )
    const within = yield* parsed(assemble(message, element("AuthSignature", {}, info)))
    const signedInfo = Document.required(Document.required(within, "AuthSignature"), "SignedInfo", dsNamespace)
    const value = signBytes("sha256", Buffer.from(canonical(signedInfo)), key).toString("base64")
    return assemble(message, element("AuthSignature", {}, info, leaf("ds:SignatureValue", value)))
  })

/** The signed elements of a message; `BadSignature` for every kind of failure. */
export const verify = (root: Element, key: KeyObject): Result.Result<ReadonlySet<Element>, EbicsError> => {
  const checked = Document.attempt(() => {
    const signature = Document.required(root, "AuthSignature")
    const info = Document.required(signature, "SignedInfo", dsNamespace)
    if (!isExpected(info)) return undefined
    const elements = authenticated(root)
    const part = Document.required(info, "Reference", dsNamespace)
    const stated = Document.base64Of(Document.required(part, "DigestValue", dsNamespace))
    const computed = digestOf(elements)
    if (stated.length !== computed.length || !timingSafeEqual(stated, computed)) return undefined
    const value = Document.base64Of(Document.required(signature, "SignatureValue", dsNamespace))
    return verifyBytes("sha256", Buffer.from(canonical(info)), key, value) ? new Set(elements) : undefined
  })
  const elements = Result.isSuccess(checked) ? checked.success : undefined
  return elements === undefined
    ? Result.fail(new EbicsError({ reason: { _tag: "BadSignature" } }))
    : Result.succeed(elements)
}

/** Whether the algorithms and the reference are those of the protocol. Others could sign a part of the message only. */
const isExpected = (info: Element): boolean => {
  const algorithmOf = (parent: Element, name: string) =>
    Document.required(parent, name, dsNamespace).getAttribute("Algorithm")
  const part = Document.required(info, "Reference", dsNamespace)
  const transforms = Document.required(part, "Transforms", dsNamespace)
  return (
    algorithmOf(info, "CanonicalizationMethod") === c14n &&
    algorithmOf(info, "SignatureMethod") === signatureMethod &&
    (part.getAttribute("URI") ?? "").replaceAll('"', "'") === reference &&
    Document.children(transforms).length === 1 &&
    algorithmOf(transforms, "Transform") === c14n &&
    algorithmOf(part, "DigestMethod") === digestMethod
  )
}

/** Elements with `authenticate="true"` in document order. */
const authenticated = (root: Element): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  const visit = (node: Element) => {
    if (node.getAttribute("authenticate") === "true") found.push(node)
    for (const child of Document.children(node)) visit(child)
  }
  visit(root)
  return found
}

const digestOf = (elements: ReadonlyArray<Element>): Buffer => {
  const hash = createHash("sha256")
  for (const part of elements) hash.update(canonical(part))
  return hash.digest()
}

const parsed = (text: string) => Document.parse(Buffer.from(text), { name: "maxMessage", bytes: maxMessage })
