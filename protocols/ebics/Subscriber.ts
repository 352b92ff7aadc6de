/** Who speaks to which bank, with which keys, and the parts of a request header that follow from it. Pure. */
import type { KeyObject } from "node:crypto"
import { Result } from "effect"
import * as Certificate from "./Certificate.ts"
import { badValue, type EbicsError } from "./EbicsError.ts"
import * as Keys from "./Keys.ts"
import { maxId } from "./Limits.ts"
import { element, leaf } from "./Markup.ts"
import { authenticationVersion, encryptionVersion, type Version } from "./Version.ts"

export interface Subscriber {
  readonly version: Version
  readonly hostId: string
  readonly partnerId: string
  readonly userId: string
  /** Set only for technical users. */
  readonly systemId?: string
}

/** A public key of the bank. H005 delivers it as a certificate (DER). */
export interface BankKey {
  readonly key: KeyObject
  readonly certificate?: Buffer
}

/** Keys of the bank: X002 verifies its messages, E002 is not used for downloads but stated in each request. */
export interface BankKeys {
  readonly authentication: BankKey
  readonly encryption: BankKey
}

/**
 * What a digest of a bank key is made of. Banks with H005 disagree: some hash exponent and modulus as in H004, some the
 * certificate.
 */
export type DigestKind = "key" | "certificate"

/** SHA-256 of a bank key; of exponent and modulus when there is no certificate. */
export const digestOf = ({ certificate, key }: BankKey, kind: DigestKind): Buffer =>
  kind === "certificate" && certificate !== undefined ? Certificate.fingerprint(certificate) : Keys.digest(key)

/** Values that distinguish one request from every other one. `timestamp`: the time of sending. */
export interface Uniqueness {
  /** 32 hexadecimal digits. */
  readonly nonce: string
  readonly timestamp: Date
}

/** Fails for the first value that does not fit the schema. */
export const checkSubscriber = (subscriber: Subscriber): Result.Result<void, EbicsError> => {
  const id = /^[a-zA-Z0-9,=]{1,35}$/
  if (!/^[!-~]+( [!-~]+)*$/.test(subscriber.hostId) || subscriber.hostId.length > maxId)
    return Result.fail(badValue("the host id"))
  if (!id.test(subscriber.partnerId)) return Result.fail(badValue("the partner id"))
  if (!id.test(subscriber.userId)) return Result.fail(badValue("the user id"))
  if (subscriber.systemId !== undefined && !id.test(subscriber.systemId)) return Result.fail(badValue("the system id"))
  return Result.void
}

export const checkUniqueness = ({ nonce, timestamp }: Uniqueness): Result.Result<void, EbicsError> => {
  if (!/^[0-9A-Fa-f]{32}$/.test(nonce)) return Result.fail(badValue("the nonce"))
  return Number.isNaN(timestamp.getTime()) ? Result.fail(badValue("the timestamp")) : Result.void
}

/** Attributes of the root element. */
export const rootAttributes = (version: Version) => ({ Version: version, Revision: "1" })

/** Product of the header, which identifies the client's software to the bank. */
const product = leaf("Product", "Signalbox", { Language: "de" })

/** Security medium: not stated. Source: EBICS 2.5 §3.9. */
const securityMedium = leaf("SecurityMedium", "0000")

/** Elements of the static header in the order of the schema. */
export const staticHeader = (
  subscriber: Subscriber,
  orderDetails: string,
  options: { readonly unique?: Uniqueness; readonly bankKeyDigests?: string } = {}
): string =>
  element(
    "static",
    {},
    leaf("HostID", subscriber.hostId),
    options.unique === undefined ? "" : leaf("Nonce", options.unique.nonce),
    options.unique === undefined ? "" : leaf("Timestamp", options.unique.timestamp.toISOString()),
    leaf("PartnerID", subscriber.partnerId),
    leaf("UserID", subscriber.userId),
    subscriber.systemId === undefined ? "" : leaf("SystemID", subscriber.systemId),
    product,
    orderDetails,
    options.bankKeyDigests ?? "",
    securityMedium
  )

/** OrderDetails of an administrative order. `attribute`: OrderAttribute, which only H004 has. */
export const orderDetails = (version: Version, order: string, attribute: string, parameters: string = ""): string =>
  version === "H004"
    ? element("OrderDetails", {}, leaf("OrderType", order), leaf("OrderAttribute", attribute), parameters)
    : element("OrderDetails", {}, leaf("AdminOrderType", order), parameters)

/** BankPubKeyDigests: the keys of the bank that we know, so that the bank can say when they are outdated. */
export const bankKeyDigests = (keys: BankKeys, kind: DigestKind): string => {
  const digest = (name: string, version: string, key: BankKey) =>
    leaf(name, digestOf(key, kind).toString("base64"), { Version: version, Algorithm: sha256 })
  return element(
    "BankPubKeyDigests",
    {},
    digest("Authentication", authenticationVersion, keys.authentication),
    digest("Encryption", encryptionVersion, keys.encryption)
  )
}

const sha256 = "http://www.w3.org/2001/04/xmlenc#sha256"
