/** Messages of a bank for tests: signed responses to downloads, responses of the key management, and HEV. */
import { createPublicKey, type KeyObject } from "node:crypto"
import { Result } from "effect"
import { assemble, sign } from "#protocols/ebics/AuthSignature.ts"
import * as Encryption from "#protocols/ebics/Encryption.ts"
import * as Keys from "#protocols/ebics/Keys.ts"
import { element, leaf } from "#protocols/ebics/Markup.ts"
import * as PublicKeyInfo from "#protocols/ebics/PublicKeyInfo.ts"
import { rootAttributes } from "#protocols/ebics/Subscriber.ts"
import { dsNamespace, hevNamespace, namespaces, type Version } from "#protocols/ebics/Version.ts"

export interface AnswerParts {
  readonly version: Version
  readonly phase?: "Initialisation" | "Transfer" | "Receipt"
  readonly transactionId?: string
  readonly segments?: number
  readonly segment?: { readonly number: number; readonly last: boolean }
  /** Base64 text of the segment. */
  readonly orderData?: string
  /** Encrypted transaction key, only in the first answer with data. */
  readonly wrappedKey?: Buffer
  readonly technical?: string
  readonly business?: string
  readonly reportText?: string
}

const authenticate = { authenticate: "true" }

/** Response to a download, signed by `key`. */
export const downloadAnswer = (parts: AnswerParts, key: KeyObject): string =>
  Result.getOrThrow(
    sign(
      {
        root: "ebicsResponse",
        namespace: namespaces[parts.version],
        attributes: rootAttributes(parts.version),
        header: header(
          parts,
          parts.transactionId === undefined ? "" : leaf("TransactionID", parts.transactionId),
          parts.segments === undefined ? "" : leaf("NumSegments", String(parts.segments))
        ),
        body: body(parts)
      },
      key
    )
  )

/** Response to INI, HIA and HPB; these are not signed. */
export const keyManagementAnswer = (parts: AnswerParts): string =>
  assemble({
    root: "ebicsKeyManagementResponse",
    namespace: namespaces[parts.version],
    attributes: rootAttributes(parts.version),
    header: header(parts),
    body: body(parts)
  })

export const hevAnswer = (versions: ReadonlyArray<readonly [protocol: string, number: string]>): string =>
  element(
    "ebicsHEVResponse",
    { xmlns: hevNamespace },
    element("SystemReturnCode", {}, leaf("ReturnCode", "000000"), leaf("ReportText", "[EBICS_OK] OK")),
    ...versions.map(([protocol, number]) => leaf("VersionNumber", number, { ProtocolVersion: protocol }))
  )

/** Order data of HPB. */
export const hpbOrderData = (
  version: Version,
  hostId: string,
  keys: { readonly authentication: PublicKeyInfo.SentKey; readonly encryption: PublicKeyInfo.SentKey }
): string => {
  const info = (name: string, key: PublicKeyInfo.SentKey, versionName: string, value: string) =>
    Result.getOrThrow(PublicKeyInfo.write(version, name, key, { name: versionName, value }, new Date()))
  return element(
    "HPBResponseOrderData",
    { xmlns: namespaces[version], "xmlns:ds": dsNamespace },
    info("AuthenticationPubKeyInfo", keys.authentication, "AuthenticationVersion", "X002"),
    info("EncryptionPubKeyInfo", keys.encryption, "EncryptionVersion", "E002"),
    leaf("HostID", hostId)
  )
}

/** Deflated and encrypted data in pieces of base64 text, as a bank cuts it. `pieces`: 1 or more. */
export const sealed = (data: Uint8Array, receiver: KeyObject, pieces: number = 1) => {
  const key = Encryption.newTransactionKey()
  const text = Encryption.encrypt(Encryption.deflate(data), key).toString("base64")
  const size = Math.max(4, Math.ceil(text.length / pieces / 4) * 4)
  return {
    wrappedKey: Encryption.wrapKey(key, receiver.type === "private" ? createPublicKey(receiver) : receiver),
    segments: Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
  }
}

const header = (parts: AnswerParts, ...fixed: ReadonlyArray<string>) =>
  element(
    "header",
    authenticate,
    element("static", {}, ...fixed),
    element(
      "mutable",
      {},
      parts.phase === undefined ? "" : leaf("TransactionPhase", parts.phase),
      parts.segment === undefined
        ? ""
        : leaf("SegmentNumber", String(parts.segment.number), { lastSegment: String(parts.segment.last) }),
      leaf("ReturnCode", parts.technical ?? "000000"),
      leaf("ReportText", parts.reportText ?? "[EBICS_OK] OK")
    )
  )

const body = (parts: AnswerParts) =>
  element(
    "body",
    {},
    parts.orderData === undefined
      ? ""
      : element(
          "DataTransfer",
          {},
          parts.wrappedKey === undefined ? "" : encryptionInfo(parts.wrappedKey),
          leaf("OrderData", parts.orderData)
        ),
    leaf("ReturnCode", parts.business ?? "000000", authenticate)
  )

const encryptionInfo = (wrappedKey: Buffer) =>
  element(
    "DataEncryptionInfo",
    authenticate,
    leaf("EncryptionPubKeyDigest", Buffer.alloc(32).toString("base64"), {
      Version: "E002",
      Algorithm: "http://www.w3.org/2001/04/xmlenc#sha256"
    }),
    leaf("TransactionKey", wrappedKey.toString("base64"))
  )

/** SHA-256 of a public key, base64, as requests state it. */
export const keyDigest = (key: KeyObject): string => Keys.digest(key).toString("base64")
