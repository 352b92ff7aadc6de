/** Every sentence of the daemon about a bank that cannot be asked has German words in the console. */
import { Duration } from "effect"
import { expect, it } from "vitest"
import { OutboundHttpError, OutboundHttpReason } from "#core/http/OutboundHttpError.ts"
import { notReadySentence, stoppedSentence } from "#daemons/bank-fetcher/fetching/AccountWords.ts"
import { keysChanged, resultOf, resultOfError } from "#daemons/bank-fetcher/fetching/OrderResult.ts"
import { maxAttempt } from "#daemons/bank-fetcher/fetching/FetchRun.ts"
import { NoAnswer } from "#daemons/bank-fetcher/fetching/StatementDownload.ts"
import { EbicsError, EbicsReason } from "#protocols/ebics/EbicsError.ts"
import { returnCode } from "#protocols/ebics/ReturnCode.ts"
import { inGerman } from "../../../../console/pages/bank/GermanProblems.ts"

/** A value for each field of a reason. */
const values = {
  why: "CODE",
  limit: "maxMessage",
  field: "host_id",
  code: "ECONNREFUSED",
  address: "10.0.0.1"
} as const
const numbers = { port: 22, milliseconds: 500, status: 302, limit: 3 } as const

const ebics = Object.keys(EbicsReason.cases).map(
  (_tag) => new EbicsError({ reason: { ...values, _tag } as unknown as EbicsReason })
)
const http = Object.keys(OutboundHttpReason.cases).map((_tag) => {
  const limit = _tag === "TooManyRedirects" ? numbers.limit : undefined
  const reason = { ...values, ...numbers, range: "private", limit, _tag } as unknown as OutboundHttpReason
  return new OutboundHttpError({ url: "https://bank.example", requestSent: true, reason })
})

const problem = (result: { readonly failure: { readonly problem: string } | undefined }) => result.failure!.problem

const sentences: ReadonlyArray<string> = [
  ...ebics.map((error) => problem(resultOfError(error))),
  ...ebics.map(({ message }) => message),
  ...http.map(({ message }) => message),
  ...http.map(({ message }) => problem(resultOfError(new NoAnswer({ detail: message, retryable: true })))),
  "no answer within 60 s",
  "the bank answered with HTTP status 502",
  "the answer has more than 9 bytes",
  ...["091008", "091002", "061099", "061001", "091010"].map((value) =>
    problem(
      resultOf({ outcome: { _tag: "Refused", code: returnCode(value) }, kept: undefined, failure: undefined }, true)
    )
  ),
  problem(
    resultOf(
      {
        outcome: { _tag: "NotStored" },
        kept: undefined,
        failure: { message: "the order data cannot be decrypted with our key", repeatable: true }
      },
      true
    )
  ),
  ...["missing", "inactive", "no_ebics", "bank_keys", "keys"].map((reason) =>
    notReadySentence({ reason, key_status: "ini_sent" })
  ),
  notReadySentence({ reason: "keys", key_status: "suspended" }),
  stoppedSentence,
  keysChanged.problem,
  `The fetch did not end within ${Duration.toMinutes(maxAttempt)} minutes.`,
  "The bank does not offer the user C53 or STA and C52."
]

it("is said in German, with nothing of the English but technical parts", () => {
  const english = sentences
    .map((sentence) => [sentence, inGerman(sentence)] as const)
    .filter(([before, after]) => before === after || /\b(the|is|was|of|not|bank's|within)\b/.test(after))
  expect(english).toEqual([])
})

it("leaves the words of a bank, and of a newer server, as they are", () => {
  for (const text of ["[EBICS_OK] OK", "The moon is full.", ""]) expect(inGerman(text)).toBe(text)
})
