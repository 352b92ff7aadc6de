/**
 * Requests of the key management: HEV asks for the bank's versions, INI sends our signature key, HIA our authentication
 * and encryption keys, HPB fetches the bank's keys. Pure. INI and HIA are not signed: the letter proves them. HPB is
 * signed by our authentication key. Source: EBICS 2.5 §4.4, 3.0 §4.4; `ebics_hev`.
 */
import type { KeyObject } from "node:crypto"
import { Result } from "effect"
import { assemble, sign } from "./AuthSignature.ts"
import { badValue, type EbicsError } from "./EbicsError.ts"
import { deflate } from "./Encryption.ts"
import { maxId } from "./Limits.ts"
import { element, leaf } from "./Markup.ts"
import * as PublicKeyInfo from "./PublicKeyInfo.ts"
import * as Subscribers from "./Subscriber.ts"
import {
  authenticationVersion,
  dsNamespace,
  encryptionVersion,
  hevNamespace,
  namespaces,
  signatureNamespaces,
  type SignatureVersion
} from "./Version.ts"

type Subscriber = Subscribers.Subscriber

export const hev = (hostId: string): Result.Result<string, EbicsError> => {
  if (hostId.length === 0 || hostId.length > maxId) return Result.fail(badValue("the host id"))
  const request = element("ebicsHEVRequest", { xmlns: hevNamespace }, leaf("HostID", hostId))
  return Result.succeed(`<?xml version="1.0" encoding="UTF-8"?>\n${request}`)
}

export interface InitialSignatureKey {
  readonly version: SignatureVersion
  readonly sent: PublicKeyInfo.SentKey
  readonly createdAt: Date
}

/** INI: the signature key. */
export const ini = (subscriber: Subscriber, key: InitialSignatureKey): Result.Result<string, EbicsError> =>
  Result.gen(function* () {
    yield* Subscribers.checkSubscriber(subscriber)
    const version = { name: "SignatureVersion", value: key.version }
    const info = yield* PublicKeyInfo.write(subscriber.version, "SignaturePubKeyInfo", key.sent, version, key.createdAt)
    const namespace = signatureNamespaces[subscriber.version]
    return unsecured(subscriber, "INI", orderData("SignaturePubKeyOrderData", namespace, subscriber, info))
  })

export interface InitialKeys {
  readonly authentication: PublicKeyInfo.SentKey
  readonly encryption: PublicKeyInfo.SentKey
  readonly createdAt: Date
}

/** HIA: the authentication key and the encryption key. */
export const hia = (subscriber: Subscriber, keys: InitialKeys): Result.Result<string, EbicsError> =>
  Result.gen(function* () {
    yield* Subscribers.checkSubscriber(subscriber)
    const { createdAt } = keys
    const authentication = yield* PublicKeyInfo.write(
      subscriber.version,
      "AuthenticationPubKeyInfo",
      keys.authentication,
      { name: "AuthenticationVersion", value: authenticationVersion },
      createdAt
    )
    const encryption = yield* PublicKeyInfo.write(
      subscriber.version,
      "EncryptionPubKeyInfo",
      keys.encryption,
      { name: "EncryptionVersion", value: encryptionVersion },
      createdAt
    )
    const namespace = namespaces[subscriber.version]
    const data = orderData("HIARequestOrderData", namespace, subscriber, authentication + encryption)
    return unsecured(subscriber, "HIA", data)
  })

/** HPB: asks for the keys of the bank. */
export const hpb = (
  subscriber: Subscriber,
  unique: Subscribers.Uniqueness,
  authenticationKey: KeyObject
): Result.Result<string, EbicsError> =>
  Result.gen(function* () {
    yield* Subscribers.checkSubscriber(subscriber)
    yield* Subscribers.checkUniqueness(unique)
    const details = Subscribers.orderDetails(subscriber.version, "HPB", "DZHNN")
    return yield* sign(
      {
        root: "ebicsNoPubKeyDigestsRequest",
        namespace: namespaces[subscriber.version],
        attributes: Subscribers.rootAttributes(subscriber.version),
        header: header(Subscribers.staticHeader(subscriber, details, { unique })),
        body: element("body", {})
      },
      authenticationKey
    )
  })

const header = (content: string) => element("header", { authenticate: "true" }, content, element("mutable", {}))

const orderData = (root: string, namespace: string, subscriber: Subscriber, keys: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    root,
    { xmlns: namespace, "xmlns:ds": dsNamespace },
    keys,
    leaf("PartnerID", subscriber.partnerId),
    leaf("UserID", subscriber.userId)
  )}`

const unsecured = (subscriber: Subscriber, order: string, data: string): string =>
  assemble({
    root: "ebicsUnsecuredRequest",
    namespace: namespaces[subscriber.version],
    attributes: Subscribers.rootAttributes(subscriber.version),
    header: header(Subscribers.staticHeader(subscriber, Subscribers.orderDetails(subscriber.version, order, "DZNNN"))),
    body: element(
      "body",
      {},
      element("DataTransfer", {}, leaf("OrderData", deflate(Buffer.from(data)).toString("base64")))
    )
  })
