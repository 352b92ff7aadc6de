// Test data for the SASL strings.

import { Result } from "effect"
import fc from "fast-check"
import type { BearerLogin } from "#protocols/sasl/Line.ts"
import type { SaslError } from "#protocols/sasl/SaslError.ts"

/** User names, with the characters that need escaping and any others that are allowed. */
export const users = fc.oneof(
  fc.string({
    unit: fc.constantFrom(",", "=", "2", "C", "3", "D", "@", " ", "ü", "\u{1f4e7}"),
    minLength: 1,
    maxLength: 12
  }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).filter((name) => !/[\u0000-\u001f\u007f]/.test(name))
)

/** Bearer tokens. Source: RFC 6750 §2.1. */
export const tokens = fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,40}={0,2}$/)
export const hosts = fc.option(fc.domain(), { nil: undefined })
export const ports = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })

/** A base64 line that our encoder would not produce. */
export const strange = (text: string): string => Buffer.from(text).toString("base64")

/** The decoded text of an encoded line. */
export const line = (written: Result.Result<string, SaslError>): string =>
  Buffer.from(Result.getOrThrow(written), "base64").toString()

export const reason = (result: Result.Result<unknown, SaslError>): string | undefined =>
  Result.isFailure(result) ? result.failure.reason : undefined

/** Encodes and parses again. */
export const reread = <L extends BearerLogin>(
  mechanism: {
    readonly encode: (login: L) => Result.Result<string, SaslError>
    readonly parse: (line: string) => Result.Result<L, SaslError>
  },
  login: L
) => Result.flatMap(mechanism.encode(login), mechanism.parse)
