/**
 * Responses of a bank: to HEV, to the key management (INI, HIA, HPB), and to downloads. Pure. Download responses are
 * signed; without the bank's valid signature nothing of them is returned. Responses to HEV and to the key management
 * have no signature in the protocol. Source: EBICS 2.5 §4.4, §5.6; 3.0 likewise; schemas `ebics_response`,
 * `ebics_keymgmt_response`, `ebics_hev`.
 */
import type { Element } from "@xmldom/xmldom"
import type { KeyObject } from "node:crypto"
import { Result } from "effect"
import { verify } from "./AuthSignature.ts"
import * as Document from "./Document.ts"
import { EbicsError, malformed, tooLarge } from "./EbicsError.ts"
import { openOrderData } from "./Encryption.ts"
import { maxAdminOrderData, maxMessage, maxSegments } from "./Limits.ts"
import * as PublicKeyInfo from "./PublicKeyInfo.ts"
import { type ReturnCode, returnCode } from "./ReturnCode.ts"
import type { BankKeys } from "./Subscriber.ts"
import { authenticationVersion, encryptionVersion, hevNamespace, namespaces, type Version } from "./Version.ts"

/** Both return codes of a response, and the bank's text for the technical one. */
export interface Codes {
  readonly technical: ReturnCode
  readonly business: ReturnCode
  /** At most 256 characters, without control characters. */
  readonly reportText: string
}

export interface HevResponse {
  readonly code: ReturnCode
  readonly reportText: string
  /** Protocol versions of the bank, for example `H004`. */
  readonly versions: ReadonlyArray<string>
}

export const hev = (bytes: Uint8Array): Result.Result<HevResponse, EbicsError> =>
  Result.gen(function* () {
    const root = yield* message(bytes)
    return yield* Document.attempt(() => {
      expectRoot(root, "ebicsHEVResponse", hevNamespace)
      const code = Document.required(root, "SystemReturnCode")
      return {
        code: codeOf(Document.required(code, "ReturnCode")),
        reportText: reportTextOf(Document.optional(code, "ReportText")),
        versions: Document.childrenOf(root, "VersionNumber").map((one) => one.getAttribute("ProtocolVersion") ?? "")
      }
    })
  })

/** Encrypted order data of one segment. */
export interface Segment {
  /** Decoded, but still encrypted. */
  readonly bytes: Buffer
}

export interface KeyManagementResponse extends Codes {
  /** Only for HPB. */
  readonly data?: Segment & { readonly wrappedKey: Buffer }
}

export const keyManagement = (bytes: Uint8Array, version: Version): Result.Result<KeyManagementResponse, EbicsError> =>
  Result.gen(function* () {
    const root = yield* message(bytes)
    return yield* Document.attempt(() => {
      expectRoot(root, "ebicsKeyManagementResponse", namespaces[version])
      const body = Document.required(root, "body")
      const data = Document.optional(body, "DataTransfer")
      return {
        ...codesOf(root),
        ...(data === undefined ? {} : { data: { bytes: segmentOf(data), wrappedKey: wrappedKeyOf(data) } })
      }
    })
  })

export type Phase = "Initialisation" | "Transfer" | "Receipt"

export interface DownloadResponse extends Codes {
  readonly phase: Phase
  readonly transactionId?: string
  /** Number of segments; only in the initialisation. */
  readonly segments?: number
  /** Number of this segment, from 1, and whether the bank calls it the last one. */
  readonly segment?: { readonly number: number; readonly last: boolean }
  readonly data?: Segment
  /** Encrypted transaction key; only in the initialisation. */
  readonly wrappedKey?: Buffer
}

/** Response to a download, verified by the bank's authentication key. */
export const download = (
  bytes: Uint8Array,
  version: Version,
  bankKey: KeyObject
): Result.Result<DownloadResponse, EbicsError> =>
  Result.gen(function* () {
    const root = yield* message(bytes)
    yield* Document.attempt(() => expectRoot(root, "ebicsResponse", namespaces[version]))
    const signed = yield* verify(root, bankKey)
    return yield* Document.attempt(() => {
      const header = Document.required(root, "header")
      const body = Document.required(root, "body")
      const data = Document.optional(body, "DataTransfer")
      const info = data === undefined ? undefined : Document.optional(data, "DataEncryptionInfo")
      // The signature must cover everything that is read, except OrderData, which the protocol does not sign.
      for (const part of [header, Document.required(body, "ReturnCode"), ...(info === undefined ? [] : [info])])
        if (!signed.has(part)) throw new EbicsError({ reason: { _tag: "BadSignature" } })
      return { ...codesOf(root), ...transactionOf(header), ...dataOf(data, info) }
    })
  })

const transactionOf = (header: Element) => {
  const fixed = Document.required(header, "static")
  const mutable = Document.required(header, "mutable")
  const transactionId = Document.optional(fixed, "TransactionID")
  const segments = Document.optional(fixed, "NumSegments")
  const segment = Document.optional(mutable, "SegmentNumber")
  return {
    phase: phaseOf(Document.textOf(Document.required(mutable, "TransactionPhase"))),
    ...(transactionId === undefined ? {} : { transactionId: transactionIdOf(transactionId) }),
    ...(segments === undefined ? {} : { segments: segmentNumberOf(segments) }),
    ...(segment === undefined
      ? {}
      : {
          segment: {
            number: segmentNumberOf(segment),
            last: ["true", "1"].includes(segment.getAttribute("lastSegment") ?? "")
          }
        })
  }
}

const dataOf = (data: Element | undefined, info: Element | undefined) => ({
  ...(data === undefined ? {} : { data: { bytes: segmentOf(data) } }),
  ...(data === undefined || info === undefined ? {} : { wrappedKey: wrappedKeyOf(data) })
})

/** Keys of the bank, out of the answer to HPB. Nothing proves them until a person has compared their digests. */
export const bankKeys = (
  data: NonNullable<KeyManagementResponse["data"]>,
  subscriber: { readonly version: Version; readonly hostId: string },
  encryptionKey: KeyObject
): Result.Result<BankKeys, EbicsError> =>
  Result.gen(function* () {
    const limit = { name: "maxAdminOrderData", bytes: maxAdminOrderData }
    const opened = yield* openOrderData(data.bytes, data.wrappedKey, encryptionKey, limit)
    const root = yield* Document.parse(opened, limit)
    const infos = yield* Document.attempt(() => {
      expectRoot(root, "HPBResponseOrderData", namespaces[subscriber.version])
      if (Document.textOf(Document.required(root, "HostID")) !== subscriber.hostId)
        throw malformed("the keys are of another host")
      return {
        authentication: Document.required(root, "AuthenticationPubKeyInfo"),
        encryption: Document.required(root, "EncryptionPubKeyInfo")
      }
    })
    return {
      authentication: yield* PublicKeyInfo.read(infos.authentication, {
        name: "AuthenticationVersion",
        value: authenticationVersion
      }),
      encryption: yield* PublicKeyInfo.read(infos.encryption, { name: "EncryptionVersion", value: encryptionVersion })
    }
  })

const message = (bytes: Uint8Array) => Document.parse(bytes, { name: "maxMessage", bytes: maxMessage })

const expectRoot = (root: Element, name: string, namespace: string): void => {
  if (root.localName !== name || root.namespaceURI !== namespace) throw malformed(`the root is not ${name}`)
}

const codesOf = (root: Element): Codes => {
  const mutable = Document.required(Document.required(root, "header"), "mutable")
  return {
    technical: codeOf(Document.required(mutable, "ReturnCode")),
    business: codeOf(Document.required(Document.required(root, "body"), "ReturnCode")),
    reportText: reportTextOf(Document.optional(mutable, "ReportText"))
  }
}

const codeOf = (element: Element): ReturnCode => {
  const value = Document.textOf(element)
  if (!/^\d{6}$/.test(value)) throw malformed("a return code is not six digits")
  return returnCode(value)
}

const reportTextOf = (element: Element | undefined): string =>
  element === undefined
    ? ""
    : Document.textOf(element)
        .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
        .slice(0, 256)

const phaseOf = (text: string): Phase => {
  if (text !== "Initialisation" && text !== "Transfer" && text !== "Receipt") throw malformed("the phase is unknown")
  return text
}

const transactionIdOf = (element: Element): string => {
  const text = Document.textOf(element)
  if (!/^[0-9A-Fa-f]{32}$/.test(text)) throw malformed("the transaction id is not 16 bytes")
  return text
}

const segmentNumberOf = (element: Element): number => {
  const text = Document.textOf(element)
  if (!/^\d{1,10}$/.test(text) || Number(text) === 0) throw malformed("a segment number is not a number")
  if (Number(text) > maxSegments) throw tooLarge("maxSegments")
  return Number(text)
}

const segmentOf = (data: Element): Buffer => Document.base64Of(Document.required(data, "OrderData"))

const wrappedKeyOf = (data: Element): Buffer =>
  Document.base64Of(Document.required(Document.required(data, "DataEncryptionInfo"), "TransactionKey"))
