/** Downloads HTD and HAA: what the bank allows the account's user. */
import { Effect, Result, Schema } from "effect"
import * as Download from "#protocols/ebics/Download.ts"
import * as DownloadRequests from "#protocols/ebics/DownloadRequests.ts"
import { tooLarge, type EbicsError } from "#protocols/ebics/EbicsError.ts"
import * as Keys from "#protocols/ebics/Keys.ts"
import { maxAdminOrderData } from "#protocols/ebics/Limits.ts"
import { openInTurns } from "#protocols/ebics/OrderData.ts"
import type { AdminOrder } from "#protocols/ebics/OrderTypes.ts"
import * as Responses from "#protocols/ebics/Responses.ts"
import type { ReturnCode } from "#protocols/ebics/ReturnCode.ts"
import type { Connection } from "./Connections.ts"
import { BankUnreachable } from "./BankClient.ts"

/** The bank's return code ended the download. */
export class DownloadRefused extends Schema.TaggedError<DownloadRefused>()("DownloadRefused", {
  value: Schema.String,
  symbol: Schema.String,
  kind: Schema.String
}) {}

/** Order data; undefined when the bank has none. */
export const download = Effect.fn("AdminDownload")(function* (connection: Connection, order: AdminOrder) {
  const { authentication, bank, digestKind, encryption, send, subscriber } = connection
  let state = Download.initial
  let data: Buffer | undefined
  const limit = { name: "maxAdminOrderData", bytes: maxAdminOrderData }
  const exchange = Effect.fnUntraced(function* (request: Result.Result<string, EbicsError>) {
    const answer = yield* send(yield* Effect.fromResult(request))
    return yield* Effect.fromResult(Responses.download(answer, subscriber.version, bank.authentication.key))
  })
  while (true) {
    const next = Download.command(state)
    switch (next._tag) {
      case "SendInitialisation": {
        const unique = { nonce: yield* Keys.newNonce, timestamp: new Date() }
        const request = DownloadRequests.initialisation(subscriber, { _tag: "Admin", order }, unique, {
          authentication,
          bank,
          digestKind
        })
        state = Download.decide(state, { _tag: "Answered", response: yield* exchange(request) })
        break
      }
      case "SendTransfer": {
        const request = DownloadRequests.transfer(subscriber, next.transactionId, next, authentication)
        state = Download.decide(state, { _tag: "Answered", response: yield* exchange(request) })
        break
      }
      case "Store": {
        const opened = yield* Effect.result(openInTurns(next.received, next.wrappedKey, encryption, limit))
        data = Result.isSuccess(opened) ? opened.success : undefined
        state = Download.decide(state, { _tag: Result.isSuccess(opened) ? "Stored" : "StoringFailed" })
        break
      }
      case "SendReceipt": {
        const request = DownloadRequests.receipt(subscriber, next.transactionId, next.code, authentication)
        state = Download.decide(state, { _tag: "Answered", response: yield* exchange(request) })
        break
      }
      case "End":
        return yield* ended(next.outcome, data)
    }
    if (state._tag === "Transferring" && state.received.reduce((sum, { length }) => sum + length, 0) > limit.bytes)
      return yield* tooLarge(limit.name)
  }
})

const ended = (outcome: Download.Outcome, data: Buffer | undefined) => {
  switch (outcome._tag) {
    case "NoData":
      return Effect.succeed(undefined)
    case "Stored":
      return Effect.succeed(data)
    case "Refused":
      return Effect.fail(refused(outcome.code))
    case "Failed":
      return Effect.fail(outcome.error)
    case "NotStored":
      return Effect.fail(
        new BankUnreachable({ detail: "the order data cannot be decrypted", sent: true, retryable: true })
      )
  }
}

const refused = ({ kind, symbol, value }: ReturnCode) => new DownloadRefused({ value, symbol, kind })
