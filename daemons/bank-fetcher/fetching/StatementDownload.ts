/**
 * Carries out one download of statements: sends what `Download.command` wants, stores the data, and only then confirms
 * it. Lost answers of segments and of the receipt are asked for again. Runs outside transactions.
 */
import { Duration, Effect, Result, Schema } from "effect"
import { randomBytes } from "node:crypto"
import * as Download from "#protocols/ebics/Download.ts"
import * as DownloadRequests from "#protocols/ebics/DownloadRequests.ts"
import { type EbicsError, tooLarge } from "#protocols/ebics/EbicsError.ts"
import { openInTurns } from "#protocols/ebics/OrderData.ts"
import { maxOrderData } from "#protocols/ebics/Limits.ts"
import * as Responses from "#protocols/ebics/Responses.ts"
import type { Connection } from "../accounts/Exports.ts"

/** The bank did not answer, or not with an EBICS message. `detail`: a sentence without the address of the bank. */
export class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", {
  detail: Schema.String,
  retryable: Schema.Boolean
}) {
  override get message() {
    return this.detail
  }
}

/**
 * Most bytes of all segments of one download, encrypted. Unit: bytes. Reason: they are in memory together; statements
 * of a day with 100,000 bookings have 10 MiB in a ZIP file.
 */
export const maxDownload = 128 * 1024 * 1024

/** How often a segment or a receipt is asked for again after a lost answer. The bank allows it within a transaction. */
const repeats = 2

/** Steps of a download, for its progress. */
export interface Steps<Kept, E, R> {
  /** A segment arrived. */
  readonly received: (segments: number, received: number) => Effect.Effect<void, E, R>
  /** All segments arrived, and the data is about to be stored. */
  readonly storing: Effect.Effect<void, E, R>
  /** Stores the data durably. A failure makes the bank keep it. */
  readonly store: (data: Buffer) => Effect.Effect<Kept, StoreFailure, R>
  /** The data is durable, and the receipt is about to be sent. */
  readonly confirming: (kept: Kept) => Effect.Effect<void, E, R>
}

/** Why nothing was stored. */
export interface StoreFailure {
  readonly message: string
  /** Whether the same data can be stored later. */
  readonly repeatable: boolean
}

export interface Downloaded<Kept> {
  readonly outcome: Download.Outcome
  /** What was stored. */
  readonly kept: Kept | undefined
  readonly failure: StoreFailure | undefined
}

/** `patience`: longest wait for one answer. */
export const download = <Kept, E, R>(
  line: Connection,
  order: DownloadRequests.Order,
  steps: Steps<Kept, E, R>,
  patience: Duration.Duration
): Effect.Effect<Downloaded<Kept>, NoAnswer | EbicsError | E, R> =>
  Effect.gen(function* () {
    const { authentication, bank, digestKind, encryption, subscriber } = line
    const ask = (made: Result.Result<string, EbicsError>) =>
      Effect.gen(function* () {
        const xml = yield* Effect.fromResult(made)
        const bytes = yield* line.send(xml).pipe(
          Effect.mapError(({ message, retryable }) => new NoAnswer({ detail: withoutAddress(message), retryable })),
          Effect.timeoutOrElse({
            duration: patience,
            orElse: () =>
              Effect.fail(
                new NoAnswer({ detail: `no answer within ${Duration.toSeconds(patience)} s`, retryable: true })
              )
          })
        )
        return yield* Effect.fromResult(Responses.download(bytes, subscriber.version, bank.authentication.key))
      })
    const again = <A>(effect: Effect.Effect<A, NoAnswer | EbicsError>) =>
      Effect.retry(effect, { times: repeats, while: (error) => error._tag === "NoAnswer" && error.retryable })

    let state = Download.initial
    let kept: Kept | undefined
    let failure: StoreFailure | undefined
    while (true) {
      const next = Download.command(state)
      switch (next._tag) {
        case "End":
          return { outcome: next.outcome, kept, failure }
        case "SendInitialisation": {
          const unique = { nonce: randomBytes(16).toString("hex").toUpperCase(), timestamp: new Date() }
          const keys = { authentication, bank, digestKind }
          const response = yield* ask(DownloadRequests.initialisation(subscriber, order, unique, keys))
          state = Download.decide(state, { _tag: "Answered", response })
          break
        }
        case "SendTransfer": {
          const { last, number, transactionId } = next
          const request = DownloadRequests.transfer(subscriber, transactionId, { number, last }, authentication)
          state = Download.decide(state, { _tag: "Answered", response: yield* again(ask(request)) })
          break
        }
        case "Store": {
          yield* steps.storing
          const limit = { name: "maxOrderData", bytes: maxOrderData }
          const opened = openInTurns(next.received, next.wrappedKey, encryption, limit)
          const stored = yield* Effect.result(Effect.flatMap(opened, steps.store))
          if (Result.isSuccess(stored)) {
            kept = stored.success
            yield* steps.confirming(kept)
          } else failure = stored.failure
          state = Download.decide(state, { _tag: Result.isSuccess(stored) ? "Stored" : "StoringFailed" })
          break
        }
        case "SendReceipt": {
          const request = DownloadRequests.receipt(subscriber, next.transactionId, next.code, authentication)
          const response = yield* Effect.result(again(ask(request)))
          // Nothing is lost without the bank's confirmation: it delivers the same files again.
          if (Result.isFailure(response)) {
            const outcome = kept === undefined ? ({ _tag: "NotStored" } as const) : unconfirmed
            return { outcome, kept, failure }
          }
          state = Download.decide(state, { _tag: "Answered", response: response.success })
          break
        }
      }
      if (state._tag === "Transferring" || state._tag === "Storing") {
        const size = state.received.reduce((sum, { length }) => sum + length, 0)
        if (size > maxDownload) return yield* tooLarge("maxDownload")
        yield* steps.received(state.segments, state.received.length)
      }
    }
  })

const unconfirmed = { _tag: "Stored", confirmed: false } as const

/** The sentence without the address in front of it, which a person of the tenant wrote. */
const withoutAddress = (message: string): string => message.replace(/^https?:\/\/\S+: /, "")
