/** Order data of HTD and HAA: what a user of the bank double may fetch; and the order type of a BTF service. */
import * as Document from "#protocols/ebics/Document.ts"
import { element, leaf } from "#protocols/ebics/Markup.ts"
import { type StatementOrder, services } from "#protocols/ebics/OrderTypes.ts"
import { namespaces, type Version } from "#protocols/ebics/Version.ts"

/** An account that the user may read. */
export interface BankAccount {
  readonly iban: string
  readonly holder: string
}

/** Orders in the form of the version, inside Permission elements of HTD, or directly in HAA. */
const orders = (version: Version, permitted: ReadonlyArray<StatementOrder>): ReadonlyArray<string> =>
  version === "H004"
    ? permitted.map((order) => leaf("OrderTypes", order))
    : permitted.map((order) => {
        const { container, message, name, scope } = services[order]
        return element(
          "Service",
          {},
          leaf("ServiceName", name),
          scope === undefined ? "" : leaf("Scope", scope),
          container === undefined ? "" : element("Container", { containerType: container }),
          leaf("MsgName", message)
        )
      })

export const htdOrderData = (
  version: Version,
  userId: string,
  permitted: ReadonlyArray<StatementOrder>,
  accounts: ReadonlyArray<BankAccount>
): string => {
  const account = ({ holder, iban }: BankAccount, index: number) =>
    element(
      "AccountInfo",
      { ID: `A${index + 1}`, Currency: "EUR" },
      leaf("AccountNumber", iban, { international: "true" }),
      leaf("AccountHolder", holder)
    )
  const permissions = orders(version, permitted).map((order) =>
    element("Permission", {}, version === "H004" ? "" : leaf("AdminOrderType", "BTD"), order)
  )
  return element(
    "HTDResponseOrderData",
    { xmlns: namespaces[version] },
    element("PartnerInfo", {}, ...accounts.map(account)),
    element("UserInfo", {}, leaf("UserID", userId, { Status: "1" }), ...permissions)
  )
}

/** `available`: orders with data to fetch. */
export const haaOrderData = (version: Version, available: ReadonlyArray<StatementOrder>): string =>
  element(
    "HAAResponseOrderData",
    { xmlns: namespaces[version] },
    ...(version === "H004" && available.length > 0
      ? [leaf("OrderTypes", available.join(" "))]
      : orders(version, available))
  )

/** Order type of a request; for a download of H005 "BTD". */
export const orderOf = (fixed: Document.Element): string => {
  const details = Document.required(fixed, "OrderDetails")
  return Document.textOf(Document.optional(details, "OrderType") ?? Document.required(details, "AdminOrderType"))
}

/** Order type of a German service; "BTD" for a service that the bank does not know. */
export const serviceOrder = (details: Document.Element): string => {
  const service = Document.required(Document.required(details, "BTDOrderParams"), "Service")
  const container = Document.optional(service, "Container")?.getAttribute("containerType") ?? undefined
  const [name, message] = [
    Document.textOf(Document.required(service, "ServiceName")),
    Document.textOf(Document.required(service, "MsgName"))
  ]
  const found = Object.entries(services).find(
    ([, one]) => one.name === name && one.message === message && one.container === container
  )
  return found?.[0] ?? "BTD"
}
