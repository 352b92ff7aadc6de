/**
 * Steps of one download as a pure state machine: initialisation, further segments, storing, receipt. It sends nothing
 * and decrypts nothing; the caller carries out the command of each state. A lost answer is no event: the caller may
 * send the same request again with a new nonce, or give up the transaction. The bank then keeps the data as new.
 * Source: EBICS 2.5 §5.6.2 and 3.0 §5.6.2.
 */
import { type EbicsError, outOfSequence } from "./EbicsError.ts"
import { decisive, type ReturnCode } from "./ReturnCode.ts"
import type { DownloadResponse, Phase } from "./Responses.ts"

export type State =
  | { readonly _tag: "Initialising" }
  | ({ readonly _tag: "Transferring" } & Transaction)
  | ({ readonly _tag: "Storing" } & Transaction)
  | { readonly _tag: "Receipting"; readonly transactionId: string; readonly stored: boolean }
  | { readonly _tag: "Ended"; readonly outcome: Outcome }

export interface Transaction {
  readonly transactionId: string
  /** Number of segments that the bank announced. */
  readonly segments: number
  /** Segments so far, in order. They are joined before they are decrypted. */
  readonly received: ReadonlyArray<Buffer>
  readonly wrappedKey: Buffer
}

/**
 * - `NoData`: the bank has nothing new; a success.
 * - `Stored`: the data is stored. `confirmed`: the bank accepted the receipt; otherwise it delivers the data again.
 * - `NotStored`: storing failed; the bank keeps the data.
 * - `Refused`: the bank's return code ended the transaction.
 * - `Failed`: the answer does not fit the protocol.
 */
export type Outcome =
  | { readonly _tag: "NoData" }
  | { readonly _tag: "Stored"; readonly confirmed: boolean }
  | { readonly _tag: "NotStored" }
  | { readonly _tag: "Refused"; readonly code: ReturnCode }
  | { readonly _tag: "Failed"; readonly error: EbicsError }

export type Event =
  /** A verified response of the bank to the last request. */
  | { readonly _tag: "Answered"; readonly response: DownloadResponse }
  /** The raw data is durable, and only then. */
  | { readonly _tag: "Stored" }
  /** Decrypting or storing failed. */
  | { readonly _tag: "StoringFailed" }

export type Command =
  | { readonly _tag: "SendInitialisation" }
  | { readonly _tag: "SendTransfer"; readonly transactionId: string; readonly number: number; readonly last: boolean }
  /** Join the segments, decrypt, inflate, and store the result durably. */
  | { readonly _tag: "Store"; readonly received: ReadonlyArray<Buffer>; readonly wrappedKey: Buffer }
  | { readonly _tag: "SendReceipt"; readonly transactionId: string; readonly code: 0 | 1 }
  | { readonly _tag: "End"; readonly outcome: Outcome }

export const initial: State = { _tag: "Initialising" }

/** What to do in a state. */
export const command = (state: State): Command => {
  switch (state._tag) {
    case "Initialising":
      return { _tag: "SendInitialisation" }
    case "Transferring": {
      const number = state.received.length + 1
      return { _tag: "SendTransfer", transactionId: state.transactionId, number, last: number === state.segments }
    }
    case "Storing":
      return { _tag: "Store", received: state.received, wrappedKey: state.wrappedKey }
    case "Receipting":
      return { _tag: "SendReceipt", transactionId: state.transactionId, code: state.stored ? 0 : 1 }
    case "Ended":
      return { _tag: "End", outcome: state.outcome }
  }
}

/** State after an event. An event that the state does not wait for changes nothing. */
export const decide = (state: State, event: Event): State => {
  if (state._tag === "Storing") {
    if (event._tag === "Answered") return state
    return { _tag: "Receipting", transactionId: state.transactionId, stored: event._tag === "Stored" }
  }
  if (event._tag !== "Answered") return state
  switch (state._tag) {
    case "Initialising":
      return afterInitialisation(event.response)
    case "Transferring":
      return afterTransfer(state, event.response)
    case "Receipting":
      return afterReceipt(state, event.response)
    case "Ended":
      return state
  }
}

const afterInitialisation = (response: DownloadResponse): State => {
  const code = decisive(response.technical, response.business)
  if (code.kind === "NoData") return ended({ _tag: "NoData" })
  if (code.kind !== "Success") return ended({ _tag: "Refused", code })
  const { data, segment, segments, transactionId, wrappedKey } = response
  if (response.phase !== "Initialisation") return wrongPhase("Initialisation")
  if (transactionId === undefined || segments === undefined || data === undefined || wrappedKey === undefined)
    return failed("the bank opened no transaction")
  if (segment?.number !== 1) return failed("the first answer is not segment 1")
  if (segment.last !== (segments === 1)) return failed("the last segment is not the one that was announced")
  return next({ transactionId, segments, wrappedKey, received: [data.bytes] })
}

const afterTransfer = (state: Transaction, response: DownloadResponse): State => {
  const code = decisive(response.technical, response.business)
  if (code.kind !== "Success") return ended({ _tag: "Refused", code })
  const { data, segment } = response
  const number = state.received.length + 1
  if (response.phase !== "Transfer") return wrongPhase("Transfer")
  if (!isSame(response.transactionId, state.transactionId)) return failed("it is of another transaction")
  if (segment?.number !== number || data === undefined) return failed(`it is not segment ${number}`)
  if (segment.last !== (number === state.segments)) return failed("the last segment is not the one that was announced")
  return next({ ...state, received: [...state.received, data.bytes] })
}

/** The data is stored or not, whatever the bank answers. Without its confirmation it delivers the data again. */
const afterReceipt = (
  { stored, transactionId }: { readonly stored: boolean; readonly transactionId: string },
  response: DownloadResponse
): State => {
  if (!stored) return ended({ _tag: "NotStored" })
  const confirmed =
    response.phase === "Receipt" &&
    isSame(response.transactionId, transactionId) &&
    decisive(response.technical, response.business).kind === "Success"
  return ended({ _tag: "Stored", confirmed })
}

const next = ({ received, segments, transactionId, wrappedKey }: Transaction): State => ({
  _tag: received.length === segments ? "Storing" : "Transferring",
  transactionId,
  segments,
  received,
  wrappedKey
})

/** Banks may leave the id out after the initialisation. */
const isSame = (answered: string | undefined, expected: string): boolean =>
  answered === undefined || answered.toLowerCase() === expected.toLowerCase()

const ended = (outcome: Outcome): State => ({ _tag: "Ended", outcome })
const failed = (why: string) => ended({ _tag: "Failed", error: outOfSequence(why) })
const wrongPhase = (phase: Phase) => failed(`the phase is not ${phase}`)
