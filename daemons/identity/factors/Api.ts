import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Authentication } from "#core/auth/Authentication.ts"
import { UsersOnly } from "#core/auth/Permissions.ts"
import { NotFound } from "#core/http/Problem.ts"
import { Code, InvalidCredentials, Password, TooManyTries } from "../sessions/Exports.ts"
import {
  FactorActive,
  InvalidCode,
  MessengerNotConfigured,
  NoSecondFactor,
  RecentSignInRequired,
  TooManyCodes
} from "./Errors.ts"

/**
 * Id of a private chat. Groups (negative) and channels (`@name`) are refused, because others can read them. Source: Bot
 * API, Chat: at most 52 significant bits.
 */
const ChatId = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((text: string) =>
      /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
        ? undefined
        : "must be the number of a private chat"
    )
  )
).annotate({ description: "Number of a private chat with the bot" })

const password = Schema.optionalKey(Password).annotate({
  description: "Password of the account. An account without a password needs a session of at most ten minutes instead"
})

/** Schema.Null accepts a request without body. */
const Proof = [Schema.Struct({ password }), Schema.Null] as const

const Factor = Schema.Literals(["totp", "messenger"])

export const Factors = Schema.Struct({
  factors: Schema.Array(
    Schema.Struct({
      type: Factor,
      /** Time of confirmation. */
      since: Schema.String,
      /** Only for `messenger`: the chat that receives codes. */
      chat_id: Schema.optionalKey(Schema.String)
    })
  ),
  recovery_codes_left: Schema.Int,
  /** Factors that can be set up in this installation. */
  available: Schema.Array(Factor)
}).annotate({ identifier: "Factors" })

const RecoveryCodes = Schema.Struct({
  /** Each code replaces a second factor once. Shown only now; empty when the account already has codes. */
  recovery_codes: Schema.Array(Schema.String)
}).annotate({ identifier: "RecoveryCodes" })

const proofErrors = [InvalidCredentials, RecentSignInRequired, TooManyTries] as const
const shownOnce = "No Idempotency-Key, because the answer is not stored."
const endsOthers = "Ends all other sessions of the account."
const firstCodes = "For the first factor of the account, the answer contains ten recovery codes."
const lastCodes = "Removing the last factor also deletes the recovery codes."

/** Endpoints for the caller's own second factors. */
export const factors = HttpApiGroup.make("factors")
  .add(
    HttpApiEndpoint.get("list", "/factors", { success: Factors }).annotateMerge(
      OpenApi.annotations({
        summary: "Second factors of the caller",
        description:
          "Confirmed factors with the time of confirmation, the number of unused recovery codes, and the factors " +
          "that this installation offers."
      })
    ),
    HttpApiEndpoint.post("beginTotp", "/totp", {
      payload: Proof,
      success: Schema.Struct({
        /** The TOTP secret in Base32. */
        secret: Schema.String,
        /** `otpauth://totp/…`. */
        uri: Schema.String,
        /** The `otpauth` link as a QR code, an SVG picture. */
        qr_svg: Schema.String
      }).annotate({ identifier: "TotpEnrolment" }),
      error: [...proofErrors, FactorActive]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Set up an authenticator app",
        description:
          "Creates a secret (RFC 6238: SHA-1, 6 digits, 30 s). The factor is active after a code of the app is " +
          `confirmed. ${shownOnce}`
      })
    ),
    HttpApiEndpoint.post("confirmTotp", "/totp/confirm", {
      payload: Schema.Struct({ code: Code }),
      success: RecoveryCodes,
      error: InvalidCode
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Confirm the authenticator app",
        description:
          "Takes a code that the app shows. Sign-ins then require a code. " + `${endsOthers} ${firstCodes} ${shownOnce}`
      })
    ),
    HttpApiEndpoint.delete("removeTotp", "/totp", {
      payload: Proof,
      success: HttpApiSchema.NoContent,
      error: [...proofErrors, NotFound]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Remove the authenticator app", description: `${endsOthers} ${lastCodes}` })
    ),
    HttpApiEndpoint.post("beginMessenger", "/messenger", {
      payload: Schema.Struct({ chat_id: ChatId, password }),
      success: HttpApiSchema.NoContent,
      error: [...proofErrors, FactorActive, MessengerNotConfigured, TooManyCodes]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Set up codes by messenger",
        description:
          "Sends a code to the chat, valid for five minutes. The user must have started a conversation with the bot " +
          "before. At most three codes in ten minutes per account and per chat. No Idempotency-Key: each call sends " +
          "a new code, which replaces the previous one."
      })
    ),
    HttpApiEndpoint.post("confirmMessenger", "/messenger/confirm", {
      payload: Schema.Struct({ code: Code }),
      success: RecoveryCodes,
      error: InvalidCode
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Confirm codes by messenger",
        description:
          "Takes the code that was sent to the chat; at most five attempts. Every sign-in then sends a code. " +
          `${endsOthers} ${firstCodes} ${shownOnce}`
      })
    ),
    HttpApiEndpoint.delete("removeMessenger", "/messenger", {
      payload: Proof,
      success: HttpApiSchema.NoContent,
      error: [...proofErrors, NotFound]
    }).annotateMerge(
      OpenApi.annotations({ summary: "Remove codes by messenger", description: `${endsOthers} ${lastCodes}` })
    ),
    HttpApiEndpoint.post("renewCodes", "/recovery-codes", {
      payload: Proof,
      success: RecoveryCodes,
      error: [...proofErrors, NoSecondFactor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replace the recovery codes",
        description: `Creates ten new codes; the old codes become invalid. ${shownOnce}`
      })
    )
  )
  .middleware(Authentication)
  .annotate(UsersOnly, true)
  .prefix("/api/v1/auth")

export const FactorsApi = Api.make("factors").add(factors)
