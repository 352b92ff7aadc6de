/**
 * CMS signatures of configuration profiles: SignedData with the content and the certificates inside. Pure apart from
 * the random numbers of ECDSA. node-forge writes the structure; node:crypto signs, so that keys on elliptic curves work
 * too, which node-forge does not know. Source: RFC 5652 §5 and §11, RFC 5754 §3.
 */
import { createHash, sign } from "node:crypto"
import forge from "node-forge"
import type { Signer } from "./Signer.ts"

/**
 * CMS SignedData that contains `content` and its signature, in DER form. `at`: signing time stated in the signature.
 */
export const signed = (content: Uint8Array, { chain, key }: Signer, at: Date): Buffer => {
  const attributes = sorted([
    sequence(oid(contentTypeAttribute), set(oid(dataType))),
    sequence(oid(digestAttribute), set(octets(createHash("sha256").update(content).digest()))),
    sequence(oid(timeAttribute), set(time(at)))
  ])
  // The signature is computed over the attributes encoded as a SET OF. The structure contains the same attributes with
  // the tag [0] instead (RFC 5652 §5.4).
  const signature = sign("sha256", der(universal(asn1.Type.SET, attributes)), key)
  const signerInfo = sequence(
    integer(1),
    issuerAndSerial(chain[0]!),
    sha256,
    context(0, attributes),
    key.asymmetricKeyType === "rsa" ? sequence(oid(rsaEncryption), nothing) : sequence(oid(ecdsaWithSha256)),
    octets(signature)
  )
  const signedData = sequence(
    integer(1),
    set(sha256),
    sequence(oid(dataType), context(0, [octets(content)])),
    context(0, chain.map(parsed)),
    set(signerInfo)
  )
  return der(sequence(oid(signedDataType), context(0, [signedData])))
}

const { asn1 } = forge
type Asn1 = forge.asn1.Asn1

/** Object identifiers. Source: RFC 5652 §4, §5.1, §11; RFC 8017 §A.1; RFC 5758 §3.2; RFC 5754 §2. */
const dataType = "1.2.840.113549.1.7.1"
const signedDataType = "1.2.840.113549.1.7.2"
const contentTypeAttribute = "1.2.840.113549.1.9.3"
const digestAttribute = "1.2.840.113549.1.9.4"
const timeAttribute = "1.2.840.113549.1.9.5"
const rsaEncryption = "1.2.840.113549.1.1.1"
const ecdsaWithSha256 = "1.2.840.10045.4.3.2"
const sha256Algorithm = "2.16.840.1.101.3.4.2.1"

const universal = (type: forge.asn1.Type, value: Array<Asn1>): Asn1 =>
  asn1.create(asn1.Class.UNIVERSAL, type, true, value)
const primitive = (type: forge.asn1.Type, value: string): Asn1 => asn1.create(asn1.Class.UNIVERSAL, type, false, value)
const sequence = (...value: Array<Asn1>): Asn1 => universal(asn1.Type.SEQUENCE, value)
const set = (...value: Array<Asn1>): Asn1 => universal(asn1.Type.SET, value)
const context = (tag: number, value: Array<Asn1>): Asn1 => asn1.create(asn1.Class.CONTEXT_SPECIFIC, tag, true, value)
const oid = (value: string): Asn1 => primitive(asn1.Type.OID, asn1.oidToDer(value).getBytes())
const integer = (value: number): Asn1 => primitive(asn1.Type.INTEGER, asn1.integerToDer(value).getBytes())
const octets = (value: Uint8Array): Asn1 =>
  primitive(asn1.Type.OCTETSTRING, Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("latin1"))
const nothing = primitive(asn1.Type.NULL, "")
const sha256 = sequence(oid(sha256Algorithm), nothing)

/** UTCTime until 2049, GeneralizedTime afterwards. Source: RFC 5652 §11.3. */
const time = (at: Date): Asn1 =>
  at.getUTCFullYear() < 2050
    ? primitive(asn1.Type.UTCTIME, asn1.dateToUtcTime(at) as string)
    : primitive(asn1.Type.GENERALIZEDTIME, asn1.dateToGeneralizedTime(at) as string)

const der = (value: Asn1): Buffer => Buffer.from(asn1.toDer(value).getBytes(), "latin1")
const parsed = (value: Buffer): Asn1 => asn1.fromDer(value.toString("latin1"))

/** DER sorts the elements of a SET OF by their encodings. Source: X.690 §11.6. */
const sorted = (values: ReadonlyArray<Asn1>): Array<Asn1> =>
  values.toSorted((one, other) => Buffer.compare(der(one), der(other)))

/** Issuer and serial number, copied from the certificate. Source: RFC 5280 §4.1: an optional version comes first. */
const issuerAndSerial = (certificate: Buffer): Asn1 => {
  const [tbs] = parsed(certificate).value as Array<Asn1>
  const parts = tbs!.value as Array<Asn1>
  const first = parts[0]!.tagClass === asn1.Class.CONTEXT_SPECIFIC ? 1 : 0
  return sequence(parts[first + 2]!, parts[first]!)
}
