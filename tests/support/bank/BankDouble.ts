import { createPublicKey, type KeyObject, randomBytes } from "node:crypto"
import { Result } from "effect"
import * as Certificate from "#protocols/ebics/Certificate.ts"
import { type KeyPurpose, selfSigned } from "#protocols/ebics/SelfSigned.ts"
import * as Document from "#protocols/ebics/Document.ts"
import { services, type StatementOrder } from "#protocols/ebics/OrderTypes.ts"
import type { DigestKind } from "#protocols/ebics/Subscriber.ts"
import { namespaces, type Version } from "#protocols/ebics/Version.ts"
import { HttpDouble, type Incoming, type ServerTls } from "../HttpDouble.ts"
import {
  type AnswerParts,
  downloadAnswer,
  hevAnswer,
  hpbOrderData,
  keyDigest,
  keyManagementAnswer,
  sealed
} from "./Answers.ts"
import { acceptKeys, type BankUser, checkFreshness, checkSignature, newUser } from "./BankUsers.ts"
import { type BankAccount, haaOrderData, htdOrderData, orderOf, serviceOrder } from "./OrderLists.ts"
import { testKeys } from "./TestKeys.ts"

/**
 * - `html502`: a proxy before the bank fails.
 * - `cut`: the bank acts, but the connection closes without an answer.
 * - `hang`: no answer.
 * - `wrongSignature`: the answer is signed by another key.
 */
export type BankFailure = "html502" | "cut" | "hang" | "wrongSignature"

export interface BankDoubleOptions {
  /** Default `EBIXHOST`. */
  readonly hostId?: string
  /** Default both. */
  readonly versions?: ReadonlyArray<Version>
  /** Number of segments of each download. Default 1. */
  readonly segments?: number
  /** Greatest difference of clocks. Unit: milliseconds. Default 5 minutes. */
  readonly tolerance?: number
  /** Current time. Unit: epoch milliseconds. */
  readonly now?: () => number
  /** Listens with TLS (BankTls.ts). Default: without. */
  readonly tls?: ServerTls
}

interface Transaction {
  readonly user: BankUser
  readonly order: string
  readonly segments: ReadonlyArray<string>
  readonly offered: ReadonlyArray<Buffer>
  /** Number of the last segment that was sent. */
  sent: number
}

/**
 * Double of a bank with EBICS 2.5 and 3.0: key setup and downloads. It refuses what a bank refuses: unknown users,
 * wrong signatures, replayed nonces, wrong clocks, outdated bank keys, wrong phases. README.md lists its checks
 */
export class BankDouble {
  readonly hostId: string
  readonly users: Array<BankUser> = []
  /** Order or phase of every request with the return code of the answer. */
  readonly calls: Array<{ readonly what: string; readonly code: string }> = []
  readonly receipts: Array<{ readonly order: string; readonly code: string }> = []
  keys: { authentication: KeyObject; encryption: KeyObject } = {
    authentication: testKeys.bankAuthentication,
    encryption: testKeys.bankEncryption
  }
  /** What the bank compares in BankPubKeyDigests of H005. */
  digestKind: DigestKind = "key"
  /** Order types that users may fetch; others are refused with 090003. */
  permitted: ReadonlyArray<StatementOrder> = ["STA", "VMK", "C53", "C52", "C54"]
  /** Accounts that HTD lists. */
  accounts: ReadonlyArray<BankAccount> = []
  /** Whether the bank has HAA; otherwise it answers 091006. */
  hasHaa = true
  /** Changes answers on their way. `what`: order or phase of the request; undefined for HEV. */
  alter: (answer: string, what: string | undefined) => string = (answer) => answer
  readonly #options: BankDoubleOptions
  readonly #http: HttpDouble
  readonly #failures: Array<BankFailure> = []
  readonly #transactions = new Map<string, Transaction>()
  readonly #offers = new Map<string, Array<Buffer>>()

  constructor(options: BankDoubleOptions = {}) {
    this.#options = options
    this.hostId = options.hostId ?? "EBIXHOST"
    this.#http = new HttpDouble((incoming) => this.#handle(incoming), options.tls)
  }

  /** Starts listening. Resolves to the address of the bank. */
  async start(port = 0): Promise<string> {
    return `${await this.#http.start(port)}/ebics`
  }

  stop(): Promise<void> {
    return this.#http.stop()
  }

  agree(partnerId: string, userId: string): BankUser {
    const user = newUser(partnerId, userId)
    this.users.push(user)
    return user
  }

  /** The bank has checked the letters. */
  release(user: BankUser): void {
    if (user.state !== "Sent") throw new Error(`the user is ${user.state}`)
    user.state = "Ready"
  }

  /** Data to fetch, by order type, for example `C53`. Delivered until a receipt 0. */
  offer(order: string, ...data: ReadonlyArray<Buffer>): void {
    this.#offers.set(order, [...(this.#offers.get(order) ?? []), ...data])
  }

  /** Number of files that wait to be fetched, by order type. A file waits until its receipt 0. */
  waiting(order: string): number {
    return this.#offers.get(order)?.length ?? 0
  }

  /** The next requests fail like this, one failure each. */
  failNext(...failures: ReadonlyArray<BankFailure>): void {
    this.#failures.push(...failures)
  }

  #handle({ bytes, request, response }: Incoming): void {
    const failure = this.#failures.shift()
    const html = (status: number) => response.writeHead(status, { "content-type": "text/html" }).end("<html>no</html>")
    if (failure === "html502") return void html(502)
    if (request.method !== "POST") return void html(405)
    const before = this.calls.length
    const answer = this.answer(bytes, failure === "wrongSignature")
    const text = this.alter(answer, this.calls[before]?.what)
    if (failure === "hang") return
    if (failure === "cut") return void request.socket.destroy()
    response.writeHead(200, { "content-type": "text/xml; charset=UTF-8" }).end(text)
  }

  /** Answer to a request, without a server. */
  answer(bytes: Uint8Array, wrongSignature = false): string {
    const root = Document.parse(bytes, { name: "request", bytes: 4_000_000 })
    const made = Result.flatMap(root, (element) => Document.attempt(() => this.#answerTo(element, wrongSignature)))
    return Result.isSuccess(made) ? made.success : keyManagementAnswer({ version: "H004", technical: "091010" })
  }

  #answerTo(root: Document.Element, wrongSignature: boolean): string {
    if (root.localName === "ebicsHEVRequest") {
      const versions = this.#options.versions ?? ["H004", "H005"]
      return hevAnswer(versions.map((version) => [version, version === "H004" ? "02.50" : "03.00"] as const))
    }
    const version = (Object.keys(namespaces) as Array<Version>).find((one) => namespaces[one] === root.namespaceURI)
    if (version === undefined || !(this.#options.versions ?? ["H004", "H005"]).includes(version))
      return keyManagementAnswer({ version: "H004", technical: "091010" })
    const header = Document.required(root, "header")
    const fixed = Document.required(header, "static")
    if (root.localName === "ebicsRequest") {
      const [parts, what] = this.#download(root, header, fixed, version)
      const code = parts.technical ?? "000000"
      this.calls.push({ what, code: code === "000000" ? (parts.business ?? "000000") : code })
      return downloadAnswer({ version, ...parts }, wrongSignature ? testKeys.other : this.keys.authentication)
    }
    const order = orderOf(fixed)
    const parts = this.#keyManagement(root, header, fixed, version, order)
    this.calls.push({ what: order, code: parts.technical ?? "000000" })
    return keyManagementAnswer({ version, ...parts })
  }

  #keyManagement(
    root: Document.Element,
    header: Document.Element,
    fixed: Document.Element,
    version: Version,
    order: string
  ): Omit<AnswerParts, "version"> {
    if (textOf(fixed, "HostID") !== this.hostId) return { technical: "091011" }
    const user = this.#user(fixed)
    if (root.localName === "ebicsUnsecuredRequest" && (order === "INI" || order === "HIA")) {
      if (user === undefined) return { technical: "091002" }
      const transfer = Document.required(Document.required(root, "body"), "DataTransfer")
      return { technical: acceptKeys(user, order, Document.base64Of(Document.required(transfer, "OrderData"))) }
    }
    if (root.localName !== "ebicsNoPubKeyDigestsRequest" || order !== "HPB") return { technical: "091005" }
    const code = checkSignature(user, root, [header])
    if (code !== "000000" || user === undefined) return { technical: code === "091003" ? "091002" : code }
    const fresh = checkFreshness(user, fixed, this.#now(), this.#options.tolerance ?? 300_000)
    if (fresh !== "000000") return { technical: fresh }
    const data = sealed(Buffer.from(hpbOrderData(version, this.hostId, this.#sentKeys())), user.keys.encryption!)
    return { orderData: data.segments[0]!, wrappedKey: data.wrappedKey }
  }

  #download(
    root: Document.Element,
    header: Document.Element,
    fixed: Document.Element,
    version: Version
  ): readonly [Omit<AnswerParts, "version">, string] {
    const mutable = Document.required(header, "mutable")
    const phase = textOf(mutable, "TransactionPhase")
    if (phase === "Initialisation") return this.#initialise(root, header, fixed, version)
    if (phase !== "Transfer" && phase !== "Receipt") return [{ technical: "061002" }, phase]
    const transactionId = textOf(fixed, "TransactionID")
    const refuse = (technical: string) => [{ phase, technical, transactionId }, phase] as const
    const transaction = this.#transactions.get(transactionId)
    if (transaction === undefined) return refuse("091101")
    const body = Document.required(root, "body")
    const receipt = phase === "Receipt" ? Document.required(body, "TransferReceipt") : undefined
    const code = checkSignature(transaction.user, root, receipt === undefined ? [header] : [header, receipt])
    if (code !== "000000") return refuse(code)
    const { segments } = transaction
    if (receipt === undefined) {
      const asked = Document.required(mutable, "SegmentNumber")
      const number = Number(Document.textOf(asked))
      if (number > segments.length) return refuse("091104")
      // A segment may be asked for again, but none may be left out.
      if (number < 2 || number > transaction.sent + 1) return refuse("061101")
      const last = number === segments.length
      if (asked.getAttribute("lastSegment") !== String(last)) return refuse("091112")
      transaction.sent = number
      return [{ phase, transactionId, segment: { number, last }, orderData: segments[number - 1]! }, phase]
    }
    this.#transactions.delete(transactionId)
    if (transaction.sent < segments.length) return refuse("091102")
    const stated = textOf(receipt, "ReceiptCode")
    this.receipts.push({ order: transaction.order, code: stated })
    if (stated !== "0") return refuse("011001")
    const rest = (this.#offers.get(transaction.order) ?? []).filter((one) => !transaction.offered.includes(one))
    this.#offers.set(transaction.order, rest)
    return refuse("011000")
  }

  #initialise(
    root: Document.Element,
    header: Document.Element,
    fixed: Document.Element,
    version: Version
  ): readonly [Omit<AnswerParts, "version">, string] {
    const phase = "Initialisation"
    const details = Document.required(fixed, "OrderDetails")
    const order = version === "H005" && orderOf(fixed) === "BTD" ? serviceOrder(details) : orderOf(fixed)
    const refuse = (technical: string) => [{ phase, technical }, order] as const
    if (textOf(fixed, "HostID") !== this.hostId) return refuse("091011")
    const user = this.#user(fixed)
    const code = checkSignature(user, root, [header])
    if (code !== "000000" || user === undefined) return refuse(code)
    const fresh = checkFreshness(user, fixed, this.#now(), this.#options.tolerance ?? 300_000)
    if (fresh !== "000000") return refuse(fresh)
    const digests = Document.required(fixed, "BankPubKeyDigests")
    const sent = this.#sentKeys()
    const expected = (key: (typeof sent)["authentication"]) =>
      version === "H005" && this.digestKind === "certificate"
        ? Certificate.fingerprint(key.certificate).toString("base64")
        : keyDigest(key.key)
    const isCurrent =
      textOf(digests, "Authentication") === expected(sent.authentication) &&
      textOf(digests, "Encryption") === expected(sent.encryption)
    if (!isCurrent) return refuse("091008")
    if (order === "HAA" && !this.hasHaa) return refuse("091006")
    if (!(order in services) && order !== "HTD" && order !== "HAA") return refuse("091005")
    if (order in services && !this.permitted.includes(order as StatementOrder)) return refuse("090003")
    const offered = this.#offers.get(order)?.slice(0, 1) ?? []
    const data = offered[0] ?? this.#orderLists(order, user, version)
    if (data === undefined) return [{ phase, business: "090005" }, order]
    const { segments, wrappedKey } = sealed(data, user.keys.encryption!, this.#options.segments ?? 1)
    const transactionId = randomBytes(16).toString("hex").toUpperCase()
    this.#transactions.set(transactionId, { user, order, segments, offered, sent: 1 })
    const segment = { number: 1, last: segments.length === 1 }
    const parts = { phase, transactionId, segments: segments.length, segment, orderData: segments[0]!, wrappedKey }
    return [parts as Omit<AnswerParts, "version">, order]
  }

  /** Data of HTD and HAA; undefined for another order. */
  #orderLists(order: string, user: BankUser, version: Version): Buffer | undefined {
    const waiting = this.permitted.filter((one) => this.waiting(one) > 0)
    if (order === "HTD") return Buffer.from(htdOrderData(version, user.userId, this.permitted, this.accounts))
    return order === "HAA" && waiting.length > 0 ? Buffer.from(haaOrderData(version, waiting)) : undefined
  }

  #user(fixed: Document.Element): BankUser | undefined {
    const [partnerId, userId] = [textOf(fixed, "PartnerID"), textOf(fixed, "UserID")]
    return this.users.find((user) => user.partnerId === partnerId && user.userId === userId)
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now()
  }

  #sentKeys() {
    const sent = (privateKey: KeyObject, purpose: KeyPurpose) => {
      const [commonName, serialNumber] = [this.hostId, "01"]
      const [notBefore, notAfter] = [new Date("2026-01-01"), new Date("2046-01-01")]
      const options = { privateKey, purpose, commonName, organization: "Bank", serialNumber, notBefore, notAfter }
      return { key: createPublicKey(privateKey), certificate: Result.getOrThrow(selfSigned(options)) }
    }
    return {
      authentication: sent(this.keys.authentication, "authentication"),
      encryption: sent(this.keys.encryption, "encryption")
    }
  }
}

const textOf = (parent: Document.Element, name: string) => Document.textOf(Document.required(parent, name))
