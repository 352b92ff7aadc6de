/**
 * Order types of statement downloads and their BTF forms. Pure. H004 names an order by three letters; H005 by a service
 * and a message name (BTF). Banks deviate from the table, so callers may override the service of each account.
 * Source: EBICS 3.0 Annex BTF, mapping of the German banks; ebics.org, BTF mapping.
 */

/** Downloads of statements. STA: MT940; VMK: MT942; C53, C52, C54: camt.053, camt.052, camt.054 in a ZIP file. */
export type StatementOrder = "STA" | "VMK" | "C53" | "C52" | "C54"

/** Downloads about the user: HTD: accounts and permissions; HAA: orders with data to fetch. */
export type AdminOrder = "HTD" | "HAA"

/** A BTF service with its message. Source: ebics_types_H005, `RestrictedServiceType`. */
export interface Service {
  /** Three letters, for example `EOP` (end of period) or `STM` (statement). */
  readonly name: string
  /** Country or group of banks, 2 or 3 letters. */
  readonly scope?: string
  readonly option?: string
  readonly container?: Container
  /** Message name in lower case, for example `camt.053`. */
  readonly message: string
  readonly messageVersion?: string
  readonly messageVariant?: string
  readonly messageFormat?: string
}

export type Container = "SVC" | "XML" | "ZIP"

/** Services of the German banks. */
export const services: Readonly<Record<StatementOrder, Service>> = {
  STA: { name: "EOP", scope: "DE", message: "mt940" },
  VMK: { name: "STM", scope: "DE", message: "mt942" },
  C53: { name: "EOP", scope: "DE", container: "ZIP", message: "camt.053" },
  C52: { name: "STM", scope: "DE", container: "ZIP", message: "camt.052" },
  C54: { name: "STM", scope: "DE", container: "ZIP", message: "camt.054" }
}

/** Whether two services are the same order; versions of a message count only when both name one. */
export const isSameService = (one: Service, other: Service): boolean =>
  one.name === other.name &&
  one.message === other.message &&
  one.scope === other.scope &&
  one.option === other.option &&
  one.container === other.container &&
  (one.messageVersion === undefined ||
    other.messageVersion === undefined ||
    one.messageVersion === other.messageVersion)

/** Whether a service has the form that the schema requires. */
export const isService = (service: Service): boolean =>
  /^[A-Z0-9]{3}$/.test(service.name) &&
  /^[A-Z0-9]{2,3}$/.test(service.scope ?? "DE") &&
  /^[A-Z0-9]{3,10}$/.test(service.option ?? "XXX") &&
  /^[a-z.0-9]{1,10}$/.test(service.message) &&
  /^[0-9]{2,3}$/.test(service.messageVersion ?? "01") &&
  /^[0-9]{2,3}$/.test(service.messageVariant ?? "001") &&
  /^[A-Z0-9]{1,4}$/.test(service.messageFormat ?? "XML")
