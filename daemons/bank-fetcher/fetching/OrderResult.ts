/** What the end of a download means for the order type and for the fetch. Pure. No text contains words of the bank. */
import type { EbicsError } from "#protocols/ebics/EbicsError.ts"
import type { ReturnCode } from "#protocols/ebics/ReturnCode.ts"
import type { Failure } from "./FetchDecision.ts"
import type { Order } from "./FetchStore.ts"
import type { Downloaded, NoAnswer } from "./StatementDownload.ts"

/** Result of one order type. `failure`: undefined when the bank has answered as it should. */
export interface OrderResult {
  readonly change: Partial<Order>
  readonly failure: Failure | undefined
  /** The bank may have other keys than we know, or expect another kind of digest. */
  readonly keysInDoubt: boolean
  /** The failure concerns every order type, so the others would not fare better. */
  readonly general: boolean
}

/** Result of a download that ended by the protocol. `isSpecial`: the request names days or order types. */
export const resultOf = ({ failure, outcome }: Downloaded<unknown>, isSpecial: boolean): OrderResult => {
  switch (outcome._tag) {
    case "NoData":
      return { change: { state: "empty" }, failure: undefined, keysInDoubt: false, general: false }
    case "Stored":
      return {
        change: { state: "done", confirmed: outcome.confirmed },
        failure: undefined,
        keysInDoubt: false,
        general: false
      }
    case "NotStored": {
      const problem = `The data of the bank was not stored: ${failure?.message ?? "unknown"}.`
      return failed({ problem, code: null, repeatable: failure?.repeatable ?? true, outage: true }, false)
    }
    case "Failed":
      return resultOfError(outcome.error)
    case "Refused":
      return refused(outcome.code, isSpecial)
  }
}

/** Result of a download that an error ended. */
export const resultOfError = (error: NoAnswer | EbicsError): OrderResult =>
  error._tag === "NoAnswer"
    ? failed(
        {
          problem: `The bank does not answer: ${error.detail}.`,
          code: null,
          repeatable: error.retryable,
          outage: true
        },
        false
      )
    : failed(
        {
          problem: `The answer of the bank cannot be used: ${error.message}.`,
          code: null,
          repeatable: error.repeatable,
          outage: true
        },
        error.reason._tag === "BadSignature"
      )

const refused = (code: ReturnCode, isSpecial: boolean): OrderResult => {
  if (code.kind === "NotAllowed")
    return {
      change: { state: "not_permitted", code: code.value },
      failure: undefined,
      keysInDoubt: false,
      general: false
    }
  const problem = `${sentence(code)} (${code.value} ${code.symbol})`
  const isTemporary = code.kind === "Temporary"
  // A request for special days may be refused while the account is well.
  const outage = isTemporary || !isSpecial || code.kind !== "Refused"
  const isOfKeys = code.kind === "BankKeysChanged" || code.value === "061001"
  const isOfOrder = code.kind === "Refused" && !isOfKeys
  return { ...failed({ problem, code: code.value, repeatable: isTemporary, outage }, isOfKeys), general: !isOfOrder }
}

const sentence = ({ kind, value }: ReturnCode): string => {
  if (kind === "BankKeysChanged") return "The bank says that its keys have changed."
  if (kind === "NotReady") return "The bank has not released the user, or has locked it."
  if (kind === "Temporary") return "The bank cannot serve the request now."
  return value === "061001" ? "The bank refuses our signature." : "The bank refuses the request."
}

const failed = (failure: Failure, keysInDoubt: boolean): OrderResult => ({
  change: { state: "failed", code: failure.code, problem: failure.problem },
  failure,
  keysInDoubt,
  general: true
})

/** The bank has other keys now. Fetching has stopped. */
export const keysChanged: Failure = {
  problem:
    "The keys of the bank have changed. A person must compare the new keys with the bank's letter and accept them.",
  code: "091008",
  repeatable: false,
  outage: true
}
