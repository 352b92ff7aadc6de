/**
 * X.509 certificates of keys, which H005 sends in place of bare keys: their keys, fingerprints and text. SelfSigned.ts
 * makes them. Source: EBICS 3.0 §4.4 and Annex 1 §4; RFC 5280.
 */
import { createHash, type KeyObject, X509Certificate } from "node:crypto"
import { Result } from "effect"
import { badKey, type EbicsError } from "./EbicsError.ts"
import { checked } from "./Keys.ts"

/** Public key of a certificate (DER). The certificate's signature and dates are not checked. */
export const publicKeyOf = (der: Uint8Array): Result.Result<KeyObject, EbicsError> => {
  try {
    return checked(new X509Certificate(der).publicKey)
  } catch {
    return Result.fail(badKey("it is not an X.509 certificate"))
  }
}

/** SHA-256 of the certificate. Unit: 32 bytes. */
export const fingerprint = (der: Uint8Array): Buffer => createHash("sha256").update(der).digest()

/** PEM text of a certificate, as the letter shows it. */
export const pem = (der: Uint8Array): string => {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`
}
