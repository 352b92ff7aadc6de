/**
 * Makes the X.509 certificates of our keys, which H005 sends in place of bare keys. They are self-signed: banks compare
 * the fingerprint with the letter and do not check a chain. node-forge writes the structure; node:crypto signs, so the
 * private key does not leave it. Source: EBICS 3.0 §4.4 and Annex 1 §4; RFC 5280.
 */
import { createPublicKey, type KeyObject, sign } from "node:crypto"
import { Result } from "effect"
import forge from "node-forge"
import { badKey, type EbicsError } from "./EbicsError.ts"
import { checked } from "./Keys.ts"

/** What the key is for, and so its key usage. */
export type KeyPurpose = "signature" | "authentication" | "encryption"

export interface CertificateOptions {
  readonly privateKey: KeyObject
  readonly purpose: KeyPurpose
  /** Common name, usually the user id. */
  readonly commonName: string
  readonly organization: string
  /** Positive number as hexadecimal digits. */
  readonly serialNumber: string
  readonly notBefore: Date
  readonly notAfter: Date
}

/** DER of a self-signed certificate with SHA-256 and RSA. */
export const selfSigned = (options: CertificateOptions): Result.Result<Buffer, EbicsError> =>
  Result.gen(function* () {
    const { privateKey, purpose } = options
    yield* checked(privateKey)
    if (!/^(?=.*[1-9a-f])[0-7][0-9a-f]{1,38}$/.test(options.serialNumber))
      return yield* Result.fail(badKey("the serial number of the certificate is not allowed"))
    const certificate: Signable = forge.pki.createCertificate()
    certificate.publicKey = forge.pki.publicKeyFromPem(
      createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString()
    )
    certificate.serialNumber = options.serialNumber
    certificate.validity = { notBefore: options.notBefore, notAfter: options.notAfter }
    const name = [
      { name: "commonName", value: options.commonName, valueTagClass: utf8String },
      { name: "organizationName", value: options.organization, valueTagClass: utf8String }
    ]
    certificate.setSubject(name)
    certificate.setIssuer(name)
    certificate.setExtensions([
      { name: "basicConstraints", critical: true, cA: false },
      { name: "keyUsage", critical: true, ...usages[purpose] },
      { name: "subjectKeyIdentifier" }
    ])
    // `sign` of the certificate stores the structure to sign and calls this method, whose type is that of forge's keys.
    const signer = {
      sign: () => {
        const der = forge.asn1.toDer(certificate.tbsCertificate!).getBytes()
        return sign("sha256", Buffer.from(der, "latin1"), privateKey).toString("latin1")
      }
    }
    certificate.sign(signer as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create())
    return Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), "latin1")
  })

/** A certificate of forge with the structure that is signed, which its types leave out. */
type Signable = forge.pki.Certificate & { tbsCertificate?: forge.asn1.Asn1 }

/** ASN.1 tag of UTF8String; the default of forge cannot carry umlauts. */
const utf8String = forge.asn1.Type.UTF8 as unknown as forge.asn1.Class

/** Source: EBICS 3.0 Annex 1 §4.1: non-repudiation for signatures, key encipherment for E002. */
const usages: Readonly<Record<KeyPurpose, object>> = {
  signature: { nonRepudiation: true },
  authentication: { digitalSignature: true },
  encryption: { keyEncipherment: true }
}
