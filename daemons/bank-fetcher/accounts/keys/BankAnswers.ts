/** Sends a key order and reads the bank's answer; and what the answer means for the account. */
import { Effect, Result } from "effect"
import type { EbicsError } from "#protocols/ebics/EbicsError.ts"
import * as Responses from "#protocols/ebics/Responses.ts"
import { decisive, type ReturnCode } from "#protocols/ebics/ReturnCode.ts"
import type { Version } from "#protocols/ebics/Version.ts"
import type { BankAnswer } from "./KeyApi.ts"
import { BankClient, type BankUnreachable } from "../BankClient.ts"
import { BankFailed, BankRefused } from "../Errors.ts"

export type Answer =
  | {
      readonly _tag: "Answered"
      readonly code: ReturnCode
      readonly text: string
      readonly response: Responses.KeyManagementResponse
    }
  /** `sent`: the bank may have acted. `retryable`: repeating can help. */
  | { readonly _tag: "Failed"; readonly detail: string; readonly sent: boolean; readonly retryable: boolean }

/** Sends INI, HIA or HPB. Failures are values, because they are recorded. */
export const ask = Effect.fnUntraced(function* (
  url: string,
  request: Result.Result<string, EbicsError>,
  version: Version
) {
  const client = yield* BankClient
  if (Result.isFailure(request)) return failed(request.failure, false)
  const posted = yield* Effect.result(client.post(url, request.success))
  if (Result.isFailure(posted)) return unreachable(posted.failure)
  const read = Responses.keyManagement(posted.success, version)
  if (Result.isFailure(read)) return failed(read.failure, true)
  const code = decisive(read.success.technical, read.success.business)
  const answer: Answer = { _tag: "Answered", code, text: read.success.reportText, response: read.success }
  return answer
})

export const failed = (error: EbicsError, sent: boolean): Answer => ({
  _tag: "Failed",
  detail: error.message,
  sent,
  retryable: error.repeatable
})

export const unreachable = ({ detail, retryable, sent }: BankUnreachable): Answer => ({
  _tag: "Failed",
  detail,
  sent,
  retryable
})

/** The answer as people see it later. */
export const recorded = (step: string, answer: Answer): typeof BankAnswer.Type => ({
  step,
  code: answer._tag === "Answered" ? answer.code.value : null,
  symbol: answer._tag === "Answered" ? answer.code.symbol : null,
  text: answer._tag === "Answered" ? answer.text : answer.detail,
  at: new Date().toISOString()
})

/** The error of a call whose step did not succeed. */
export const problemOf = (answer: Answer): BankRefused | BankFailed =>
  answer._tag === "Failed"
    ? new BankFailed({ detail: answer.detail, retryable: answer.retryable })
    : new BankRefused({
        bank_code: answer.code.value,
        symbol: answer.code.symbol,
        detail: `The bank answered ${answer.code.value} ${answer.code.symbol}.`
      })

export type SendOutcome = "sent" | "refused" | "unknown"

/**
 * Whether the bank has the keys of INI or HIA. `begun`: an earlier request had an unknown outcome. A bank that has keys
 * answers the repetition with 091002. Pure.
 */
export const outcomeOf = (answer: Answer, begun: boolean): SendOutcome => {
  if (answer._tag === "Failed") return answer.sent || begun ? "unknown" : "refused"
  if (answer.code.kind === "Success") return "sent"
  if (answer.code.value === "091002" && begun) return "sent"
  // A clear refusal of this request says nothing about an earlier one.
  return begun ? "unknown" : "refused"
}
