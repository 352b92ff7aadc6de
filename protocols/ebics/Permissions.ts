/**
 * Order data of HTD (accounts and permissions of the user) and HAA (orders with data to fetch). Pure. H004 lists order
 * types, H005 services. Source: schemas `ebics_orders_H004`, `ebics_orders_H005`.
 */
import type { Element } from "@xmldom/xmldom"
import { Result } from "effect"
import * as Document from "./Document.ts"
import { type EbicsError, malformed } from "./EbicsError.ts"
import { maxAdminOrderData } from "./Limits.ts"
import type { Container, Service } from "./OrderTypes.ts"
import { namespaces, type Version } from "./Version.ts"

/** What the user may do or fetch. */
export interface Available {
  /** Order types, for example `C53`; in H005 `BTD` and administrative ones. Each once, in the order of the bank. */
  readonly orderTypes: ReadonlyArray<string>
  /** BTF services, only in H005. */
  readonly services: ReadonlyArray<Service>
}

export interface UserData extends Available {
  readonly accounts: ReadonlyArray<UserAccount>
  /** Status of the user as the bank states it: 1 is ready, 2 to 9 are states of the key exchange and locks. */
  readonly userStatus: string
}

export interface UserAccount {
  readonly id: string
  readonly iban?: string
  readonly currency?: string
  readonly holder?: string
}

export const haa = (data: Uint8Array, version: Version): Result.Result<Available, EbicsError> =>
  read(data, "HAAResponseOrderData", version, (root) => available([root]))

export const htd = (data: Uint8Array, version: Version): Result.Result<UserData, EbicsError> =>
  read(data, "HTDResponseOrderData", version, (root) => {
    const user = Document.required(root, "UserInfo")
    const partner = Document.required(root, "PartnerInfo")
    return {
      ...available(Document.childrenOf(user, "Permission")),
      userStatus: Document.required(user, "UserID").getAttribute("Status") ?? "",
      accounts: Document.childrenOf(partner, "AccountInfo").map(account)
    }
  })

const read = <A>(data: Uint8Array, name: string, version: Version, reader: (root: Element) => A) =>
  Result.gen(function* () {
    const root = yield* Document.parse(data, { name: "maxAdminOrderData", bytes: maxAdminOrderData })
    return yield* Document.attempt(() => {
      if (root.localName !== name || root.namespaceURI !== namespaces[version])
        throw malformed(`the root is not ${name}`)
      return reader(root)
    })
  })

const available = (parents: ReadonlyArray<Element>): Available => {
  const names = parents.flatMap((parent) =>
    ["OrderTypes", "AdminOrderType"].flatMap((name) =>
      Document.childrenOf(parent, name).flatMap((list) => Document.textOf(list).split(" "))
    )
  )
  return {
    orderTypes: [...new Set(names.filter((name) => name !== ""))],
    services: parents.flatMap((parent) => Document.childrenOf(parent, "Service").map(service))
  }
}

const service = (element: Element): Service => {
  const container = Document.optional(element, "Container")?.getAttribute("containerType") ?? undefined
  const message = Document.required(element, "MsgName")
  const text = (name: string) => {
    const child = Document.optional(element, name)
    return child === undefined ? undefined : Document.textOf(child)
  }
  return defined({
    name: Document.textOf(Document.required(element, "ServiceName")),
    scope: text("Scope"),
    option: text("ServiceOption"),
    container: isContainer(container) ? container : undefined,
    message: Document.textOf(message),
    messageVersion: message.getAttribute("version") ?? undefined,
    messageVariant: message.getAttribute("variant") ?? undefined,
    messageFormat: message.getAttribute("format") ?? undefined
  })
}

const isContainer = (text: string | undefined): text is Container => text === "SVC" || text === "XML" || text === "ZIP"

const account = (element: Element): UserAccount => {
  const numbers = Document.childrenOf(element, "AccountNumber")
  const iban = numbers.find((number) => ["true", "1"].includes(number.getAttribute("international") ?? ""))
  const holder = Document.optional(element, "AccountHolder")
  return defined({
    id: element.getAttribute("ID") ?? "",
    iban: iban === undefined ? undefined : Document.textOf(iban).replaceAll(" ", ""),
    currency: element.getAttribute("Currency") ?? undefined,
    holder: holder === undefined ? undefined : Document.textOf(holder)
  })
}

/** The object without undefined properties. */
const defined = <A extends object>(
  value: A
): { [K in keyof A as undefined extends A[K] ? never : K]: A[K] } & {
  [K in keyof A as undefined extends A[K] ? K : never]?: Exclude<A[K], undefined>
} => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never
