import { Schema } from "effect"

/** Reason why a file of a bank cannot be read. A retry does not help. */
export const BankFormatsReason = Schema.TaggedUnion({
  /** The file does not follow its format. `why` contains no part of the file. */
  Malformed: { why: Schema.String },
  /** An amount is not a decimal number, or has more decimals than its currency. */
  BadAmount: {},
  BadDate: {},
  /** A bound is exceeded. `limit` is the name of its constant. */
  TooLarge: { limit: Schema.String },
  /** The file is none of camt.052, camt.053, MT940, MT942 and ZIP. */
  UnknownFormat: {}
})
export type BankFormatsReason = typeof BankFormatsReason.Type

/** The only error class of this folder. Contains no part of the file. */
export class BankFormatsError extends Schema.TaggedError<BankFormatsError>()("BankFormatsError", {
  reason: BankFormatsReason,
  /** Number of the entry within the file, from 1; 0 before the first one. */
  entry: Schema.Int
}) {
  readonly retryable = false
  override get message(): string {
    return this.entry === 0 ? sentence(this.reason) : `${sentence(this.reason)} (at entry ${this.entry})`
  }
}

const sentence = BankFormatsReason.match({
  Malformed: ({ why }) => `the file does not follow its format: ${why}`,
  BadAmount: () => "an amount is not a number of its currency",
  BadDate: () => "a date is not a day of the calendar",
  TooLarge: ({ limit }) => `the file exceeds ${limit}`,
  UnknownFormat: () => "the file is neither camt.052, camt.053, MT940, MT942 nor a ZIP file"
})

export const malformed = (why: string, entry = 0) => failure({ _tag: "Malformed", why }, entry)
export const tooLarge = (limit: string, entry = 0) => failure({ _tag: "TooLarge", limit }, entry)
export const failure = (reason: BankFormatsReason, entry = 0) => new BankFormatsError({ reason, entry })
