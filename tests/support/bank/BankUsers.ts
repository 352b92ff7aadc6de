/** Users of the bank double with their keys and states, and the checks of their requests. */
import type { KeyObject } from "node:crypto"
import { Result } from "effect"
import { verify } from "#protocols/ebics/AuthSignature.ts"
import * as Document from "#protocols/ebics/Document.ts"
import { inflate } from "#protocols/ebics/Encryption.ts"
import * as PublicKeyInfo from "#protocols/ebics/PublicKeyInfo.ts"

/** `New`: agreed, no keys; `Ini`, `Hia`: one of both arrived; `Sent`: both arrived; `Ready`: letters are checked. */
export type UserState = "New" | "Ini" | "Hia" | "Sent" | "Ready" | "Locked"

export interface BankUser {
  readonly partnerId: string
  readonly userId: string
  state: UserState
  readonly keys: { signature?: KeyObject; authentication?: KeyObject; encryption?: KeyObject }
  /** Certificates of the keys (DER), when the user sent them. */
  readonly certificates: { signature?: Buffer; authentication?: Buffer; encryption?: Buffer }
  /** Nonces of requests, which may not come again. */
  readonly nonces: Set<string>
}

export const newUser = (partnerId: string, userId: string): BankUser => ({
  partnerId,
  userId,
  state: "New",
  keys: {},
  certificates: {},
  nonces: new Set()
})

const purposes: Readonly<Record<string, string>> = {
  SignaturePubKeyInfo: "signature",
  AuthenticationPubKeyInfo: "authentication",
  EncryptionPubKeyInfo: "encryption"
}

/** Return code of INI or HIA; stores the keys when it is 000000. `data`: the compressed order data. */
export const acceptKeys = (user: BankUser, order: string, data: Uint8Array): string => {
  const isIni = order === "INI"
  if (user.state !== "New" && user.state !== (isIni ? "Hia" : "Ini")) return "091002"
  const limit = { name: "order data", bytes: 1_000_000 }
  const stored = Result.gen(function* () {
    const root = yield* Document.parse(yield* inflate(data, limit), limit)
    const part = (name: string) => Document.attempt(() => Document.required(root, name))
    const ids = yield* Document.attempt(() =>
      ["PartnerID", "UserID"].map((name) => Document.textOf(Document.required(root, name)))
    )
    if (ids[0] !== user.partnerId || ids[1] !== user.userId) return "091120"
    const read = function* (name: string, versionName: string, value: string) {
      const { certificate, key } = yield* PublicKeyInfo.read(yield* part(name), { name: versionName, value })
      if (certificate !== undefined) Object.assign(user.certificates, { [purposes[name]!]: certificate })
      return root.namespaceURI?.endsWith("5") === true && certificate === undefined ? undefined : key
    }
    if (isIni) {
      const info = yield* part("SignaturePubKeyInfo")
      const version = yield* Document.attempt(() => Document.textOf(Document.required(info, "SignatureVersion")))
      if (version !== "A005" && version !== "A006") return "091201"
      const key = yield* read("SignaturePubKeyInfo", "SignatureVersion", version)
      if (key === undefined) return "091217"
      user.keys.signature = key
    } else {
      const authentication = yield* read("AuthenticationPubKeyInfo", "AuthenticationVersion", "X002")
      const encryption = yield* read("EncryptionPubKeyInfo", "EncryptionVersion", "E002")
      if (authentication === undefined || encryption === undefined) return "091217"
      if (authentication.equals(encryption)) return "091218"
      Object.assign(user.keys, { authentication, encryption })
    }
    user.state = user.state === "New" ? (isIni ? "Ini" : "Hia") : "Sent"
    return "000000"
  })
  return Result.isSuccess(stored) ? stored.success : "090004"
}

/** Return code of the checks that every signed request needs. `parts`: elements that the signature must cover. */
export const checkSignature = (
  user: BankUser | undefined,
  root: Document.Element,
  parts: ReadonlyArray<Document.Element>
): string => {
  if (user === undefined) return "091003"
  const key = user.keys.authentication
  if (user.state !== "Ready" || key === undefined) return "091002"
  const signed = verify(root, key)
  return Result.isSuccess(signed) && parts.every((part) => signed.success.has(part)) ? "000000" : "061001"
}

/** Return code for the nonce and the clock of a request. `tolerance` in milliseconds. */
export const checkFreshness = (user: BankUser, header: Document.Element, now: number, tolerance: number): string => {
  const nonce = Document.textOf(Document.required(header, "Nonce")).toUpperCase()
  const time = Date.parse(Document.textOf(Document.required(header, "Timestamp")))
  if (user.nonces.has(nonce) || !(Math.abs(now - time) <= tolerance)) return "091103"
  user.nonces.add(nonce)
  return "000000"
}
