/** Problems of files, as people see them. Pure. */
import { type BankFormatsError, BankFormatsReason } from "#protocols/bank-formats/BankFormatsError.ts"
import type { FileProblem } from "./RawFiles.ts"
import type { fileProblemCodes } from "./Views.ts"

type Code = (typeof fileProblemCodes)[number]

export const problemOf = (error: BankFormatsError): FileProblem => ({
  code: codeOf(error.reason),
  message: error.message
})

const codeOf: (reason: BankFormatsReason) => Code = BankFormatsReason.match({
  Malformed: () => "malformed" as const,
  BadAmount: () => "bad_amount" as const,
  BadDate: () => "bad_date" as const,
  TooLarge: () => "too_large" as const,
  UnknownFormat: () => "unknown_format" as const
})

/** The thread that reads the file ended twice, or took too long. */
export const notReadable = (why: string): FileProblem => ({
  code: "not_readable" satisfies Code,
  message: `the file could not be read: ${why}`
})
