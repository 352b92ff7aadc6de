/**
 * Requests of a download: initialisation, one transfer for each further segment, and the receipt. Pure. All are signed
 * by our authentication key. Source: EBICS 2.5 §5.6, 3.0 §5.6; schema `ebics_request`.
 */
import type { KeyObject } from "node:crypto"
import { Result } from "effect"
import { sign } from "./AuthSignature.ts"
import { badValue, type EbicsError } from "./EbicsError.ts"
import { element, leaf } from "./Markup.ts"
import { type AdminOrder, isService, type Service, type StatementOrder } from "./OrderTypes.ts"
import * as Subscribers from "./Subscriber.ts"
import { namespaces } from "./Version.ts"

type Subscriber = Subscribers.Subscriber

/** What to fetch. H004 uses the order type, H005 the service. */
export type Order =
  | {
      readonly _tag: "Statements"
      readonly order: StatementOrder | (string & {})
      readonly service: Service
      /** Undefined: what the bank has not delivered before. A range delivers old data again. */
      readonly range?: DateRange
    }
  | { readonly _tag: "Admin"; readonly order: AdminOrder }

/** First and last day, `YYYY-MM-DD`. */
export interface DateRange {
  readonly start: string
  readonly end: string
}

/** Keys that sign a request and that the bank should have. */
export interface DownloadKeys {
  readonly authentication: KeyObject
  readonly bank: Subscribers.BankKeys
  readonly digestKind: Subscribers.DigestKind
}

export const initialisation = (
  subscriber: Subscriber,
  order: Order,
  unique: Subscribers.Uniqueness,
  keys: DownloadKeys
): Result.Result<string, EbicsError> =>
  Result.gen(function* () {
    yield* Subscribers.checkSubscriber(subscriber)
    yield* Subscribers.checkUniqueness(unique)
    const details = yield* orderDetails(subscriber, order)
    const bankKeyDigests = Subscribers.bankKeyDigests(keys.bank, keys.digestKind)
    return yield* request(
      subscriber,
      Subscribers.staticHeader(subscriber, details, { unique, bankKeyDigests }),
      leaf("TransactionPhase", "Initialisation"),
      element("body", {}),
      keys.authentication
    )
  })

/** Asks for segment `number`, counted from 1; segment 1 came with the initialisation. */
export const transfer = (
  subscriber: Subscriber,
  transactionId: string,
  segment: { readonly number: number; readonly last: boolean },
  authenticationKey: KeyObject
): Result.Result<string, EbicsError> =>
  request(
    subscriber,
    transactionHeader(subscriber, transactionId),
    leaf("TransactionPhase", "Transfer") +
      leaf("SegmentNumber", String(segment.number), { lastSegment: String(segment.last) }),
    element("body", {}),
    authenticationKey
  )

/**
 * Ends the transaction. `0`: the data is stored durably, and the bank does not deliver it as new again. `1`: it is not;
 * the bank keeps it.
 */
export type ReceiptCode = 0 | 1

export const receipt = (
  subscriber: Subscriber,
  transactionId: string,
  code: ReceiptCode,
  authenticationKey: KeyObject
): Result.Result<string, EbicsError> =>
  request(
    subscriber,
    transactionHeader(subscriber, transactionId),
    leaf("TransactionPhase", "Receipt"),
    element("body", {}, element("TransferReceipt", { authenticate: "true" }, leaf("ReceiptCode", String(code)))),
    authenticationKey
  )

const transactionHeader = (subscriber: Subscriber, transactionId: string) =>
  element("static", {}, leaf("HostID", subscriber.hostId), leaf("TransactionID", transactionId))

const request = (
  subscriber: Subscriber,
  staticHeader: string,
  mutable: string,
  body: string,
  authenticationKey: KeyObject
) =>
  sign(
    {
      root: "ebicsRequest",
      namespace: namespaces[subscriber.version],
      attributes: Subscribers.rootAttributes(subscriber.version),
      header: element("header", { authenticate: "true" }, staticHeader, element("mutable", {}, mutable)),
      body
    },
    authenticationKey
  )

const orderDetails = (subscriber: Subscriber, order: Order): Result.Result<string, EbicsError> =>
  Result.gen(function* () {
    if (order._tag === "Admin")
      return Subscribers.orderDetails(subscriber.version, order.order, "DZHNN", element("StandardOrderParams", {}))
    const range = yield* dateRange(order.range)
    if (subscriber.version === "H004") {
      if (!/^[A-Z0-9]{3}$/.test(order.order)) return yield* Result.fail(badValue("the order type"))
      const parameters = element("StandardOrderParams", {}, range)
      return Subscribers.orderDetails("H004", order.order, "DZHNN", parameters)
    }
    if (!isService(order.service)) return yield* Result.fail(badValue("the service"))
    return Subscribers.orderDetails("H005", "BTD", "", element("BTDOrderParams", {}, service(order.service), range))
  })

const service = (service: Service): string =>
  element(
    "Service",
    {},
    leaf("ServiceName", service.name),
    service.scope === undefined ? "" : leaf("Scope", service.scope),
    service.option === undefined ? "" : leaf("ServiceOption", service.option),
    service.container === undefined ? "" : element("Container", { containerType: service.container }),
    leaf("MsgName", service.message, {
      ...(service.messageVariant === undefined ? {} : { variant: service.messageVariant }),
      ...(service.messageVersion === undefined ? {} : { version: service.messageVersion }),
      ...(service.messageFormat === undefined ? {} : { format: service.messageFormat })
    })
  )

const dateRange = (range: DateRange | undefined): Result.Result<string, EbicsError> => {
  if (range === undefined) return Result.succeed("")
  if (!isDate(range.start) || !isDate(range.end) || range.start > range.end)
    return Result.fail(badValue("the range of dates"))
  return Result.succeed(element("DateRange", {}, leaf("Start", range.start), leaf("End", range.end)))
}

/** Whether the text is a day of the calendar. */
const isDate = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}
