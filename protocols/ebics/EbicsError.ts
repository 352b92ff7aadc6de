import { Schema } from "effect"

/** Reason why a message of the bank could not be used, or a request could not be built. */
export const EbicsReason = Schema.TaggedUnion({
  /** Not the XML that the protocol requires. `why` contains no part of the message. */
  Malformed: { why: Schema.String },
  /** A bound of `Limits.ts` is exceeded. `limit` is the name of its constant. */
  TooLarge: { limit: Schema.String },
  /** The AuthSignature is missing, covers too little, or does not fit the bank's key. */
  BadSignature: {},
  /** The order data could not be decrypted. All failures are the same, so that they reveal nothing about the key. */
  NotDecryptable: {},
  /** The decrypted order data could not be inflated. */
  NotInflatable: {},
  /** A key or certificate is not usable. `why` contains no part of a private key. */
  BadKey: { why: Schema.String },
  /** A value of the caller does not fit the protocol, for example a host id with 36 characters. */
  BadValue: { field: Schema.String },
  /** The answer belongs to another request: other transaction, phase or segment. */
  OutOfSequence: { why: Schema.String }
})
export type EbicsReason = typeof EbicsReason.Type

/**
 * The only error class of this folder. Return codes of the bank are values (`ReturnCode.ts`), not errors. Contains no
 * key and no part of a message.
 */
export class EbicsError extends Schema.TaggedError<EbicsError>()("EbicsError", { reason: EbicsReason }) {
  /**
   * Whether the same order can succeed later without a change on our side. A proxy in between may have answered, so
   * unusable answers are repeatable; bounds, keys and values of the caller are not.
   */
  get repeatable(): boolean {
    return EbicsReason.match(this.reason, {
      Malformed: () => true,
      TooLarge: () => false,
      BadSignature: () => true,
      NotDecryptable: () => true,
      NotInflatable: () => true,
      BadKey: () => false,
      BadValue: () => false,
      OutOfSequence: () => true
    })
  }

  override get message(): string {
    return sentence(this.reason)
  }
}

const sentence = EbicsReason.match({
  Malformed: ({ why }) => `not a valid EBICS message: ${why}`,
  TooLarge: ({ limit }) => `the message of the bank exceeds ${limit}`,
  BadSignature: () => "the signature of the bank is missing or wrong",
  NotDecryptable: () => "the order data cannot be decrypted with our key",
  NotInflatable: () => "the decrypted order data is not a zlib stream",
  BadKey: ({ why }) => `the key cannot be used: ${why}`,
  BadValue: ({ field }) => `${field} does not fit EBICS`,
  OutOfSequence: ({ why }) => `the answer does not belong to the request: ${why}`
})

/** Error for a message that is not what the protocol requires. */
export const malformed = (why: string) => new EbicsError({ reason: { _tag: "Malformed", why } })
export const tooLarge = (limit: string) => new EbicsError({ reason: { _tag: "TooLarge", limit } })
export const badKey = (why: string) => new EbicsError({ reason: { _tag: "BadKey", why } })
export const badValue = (field: string) => new EbicsError({ reason: { _tag: "BadValue", field } })
export const outOfSequence = (why: string) => new EbicsError({ reason: { _tag: "OutOfSequence", why } })
