/**
 * Public keys inside order data: RSAKeyValue in H004, X509Data in H005. Pure. Source: EBICS 2.5 §4.4 and 3.0 §4.4,
 * schemas `ebics_orders`, `ebics_signature`.
 */
import type { Element } from "@xmldom/xmldom"
import type { KeyObject } from "node:crypto"
import { Result } from "effect"
import * as Certificate from "./Certificate.ts"
import * as Document from "./Document.ts"
import { badKey, type EbicsError, malformed } from "./EbicsError.ts"
import * as Keys from "./Keys.ts"
import { element, leaf } from "./Markup.ts"
import type { BankKey } from "./Subscriber.ts"
import { dsNamespace, type Version } from "./Version.ts"

/** A key of ours as the bank gets it. H005 needs the certificate (DER). */
export interface SentKey {
  /** Private or public key. */
  readonly key: KeyObject
  readonly certificate?: Buffer
}

/** Markup of `name` with the key and its version. `createdAt`: time stamp of the key, only written in H004. */
export const write = (
  version: Version,
  name: string,
  sent: SentKey,
  keyVersion: { readonly name: string; readonly value: string },
  createdAt: Date
): Result.Result<string, EbicsError> => {
  const versionMarkup = leaf(keyVersion.name, keyVersion.value)
  if (version === "H005") {
    if (sent.certificate === undefined) return Result.fail(badKey("H005 needs a certificate"))
    const data = leaf("ds:X509Certificate", sent.certificate.toString("base64"))
    return Result.succeed(element(name, {}, element("ds:X509Data", {}, data), versionMarkup))
  }
  const { exponent, modulus } = Keys.numbersOf(sent.key)
  const value = element(
    "ds:RSAKeyValue",
    {},
    leaf("ds:Modulus", modulus.toString("base64")),
    leaf("ds:Exponent", exponent.toString("base64"))
  )
  return Result.succeed(
    element(name, {}, element("PubKeyValue", {}, value, leaf("TimeStamp", createdAt.toISOString())), versionMarkup)
  )
}

/** Reads a key. When both forms are present, they must be the same key. */
export const read = (
  info: Element,
  keyVersion: { readonly name: string; readonly value: string }
): Result.Result<BankKey, EbicsError> =>
  Result.gen(function* () {
    const parts = yield* Document.attempt(() => {
      if (Document.textOf(Document.required(info, keyVersion.name)) !== keyVersion.value)
        throw malformed(`${keyVersion.name} is not ${keyVersion.value}`)
      const value = Document.optional(info, "PubKeyValue")
      const data = Document.optional(info, "X509Data", dsNamespace)
      const rsa = value === undefined ? undefined : Document.required(value, "RSAKeyValue", dsNamespace)
      // A chain may follow the certificate of the key, which comes first.
      const [first] = data === undefined ? [] : Document.childrenOf(data, "X509Certificate", dsNamespace)
      return {
        certificate: first === undefined ? undefined : Document.base64Of(first),
        modulus: rsa === undefined ? undefined : Document.base64Of(Document.required(rsa, "Modulus")),
        exponent: rsa === undefined ? undefined : Document.base64Of(Document.required(rsa, "Exponent"))
      }
    })
    const { certificate, exponent, modulus } = parts
    const bare = exponent && modulus ? yield* Keys.fromNumbers(exponent, modulus) : undefined
    if (certificate === undefined) {
      return bare === undefined ? yield* Result.fail(malformed("a key is missing")) : { key: bare }
    }
    const key = yield* Certificate.publicKeyOf(certificate)
    if (bare !== undefined && !bare.equals(key)) return yield* Result.fail(badKey("key and certificate differ"))
    return { key, certificate }
  })
