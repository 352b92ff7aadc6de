/** Endpoints of the keys of an account: one for each step of the set-up, and for what may happen later. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import { plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import { inLanguage } from "#core/words/InLanguage.ts"
import * as Errors from "../Errors.ts"
import * as Field from "../FieldSchemas.ts"

/** A hash as banks print it: upper-case hexadecimal bytes, 16 a line. */
const HashLines = Schema.Array(Schema.String)

export const OwnKeyView = Schema.Struct({
  /** `A005`, `A006`, `X002` or `E002`. */
  version: Schema.String,
  bits: Schema.Int,
  /** Of exponent and modulus. */
  hash: HashLines,
  /** Of the certificate, which H005 sends. */
  certificate_hash: HashLines,
  certificate_until: Schema.String,
  created_at: Schema.String
}).annotate({ identifier: "BankOwnKey" })

export const BankKeyView = Schema.Struct({
  version: Schema.Literals(["X002", "E002"]),
  hash: HashLines,
  /** Null: the bank sent no certificate. */
  certificate_hash: Schema.NullOr(HashLines),
  fetched_at: Schema.String,
  accepted_at: Schema.NullOr(Schema.String),
  accepted_by: Schema.NullOr(Schema.String)
}).annotate({ identifier: "BankKey" })

const BankKeyPair = Schema.Struct({ authentication: BankKeyView, encryption: BankKeyView })

export const BankAnswer = Schema.Struct({
  step: Schema.String,
  /** Return code, six digits; null: no answer in EBICS. */
  code: Schema.NullOr(Schema.String),
  symbol: Schema.NullOr(Schema.String),
  /** The bank's own text, or what failed. */
  text: Schema.String,
  at: Schema.String
}).annotate({ identifier: "BankAnswer" })

export const KeyStatusView = Schema.Struct({
  account_id: Schema.String,
  key_status: Field.KeyStatus,
  /** What a person does next; null: nothing, statements are fetched. `wait`: for the bank, then `activate`. */
  next: Schema.NullOr(
    Schema.Literals(["configure", "init", "ini", "hia", "activate", "accept", "unlock", "resume", "reactivate"])
  ),
  ready: Schema.Boolean,
  stopped: Schema.NullOr(Schema.String),
  ebics_version: Schema.NullOr(Field.EbicsVersion),
  signature_version: Field.SignatureVersion,
  digest_kind: Field.DigestKind,
  /** Whether the private keys are under a passphrase, and whether this process waits for it. */
  with_passphrase: Schema.Boolean,
  locked: Schema.Boolean,
  own_keys: Schema.Array(OwnKeyView),
  bank_keys: Schema.Struct({
    /** Keys that are used; null: a person has not accepted any. */
    accepted: Schema.NullOr(BankKeyPair),
    /** Keys that the bank sent last and that wait for a person; null: none. */
    offered: Schema.NullOr(BankKeyPair)
  }),
  keys_created_at: Schema.NullOr(Schema.String),
  ini_sent_at: Schema.NullOr(Schema.String),
  hia_sent_at: Schema.NullOr(Schema.String),
  activated_at: Schema.NullOr(Schema.String),
  /** Answer of the bank to the last step; null: none was sent. */
  last_answer: Schema.NullOr(BankAnswer)
}).annotate({ identifier: "BankKeyStatus" })

/** Passphrase of the private keys. Unit: UTF-16 units. Reason of the minimum: NIST SP 800-63B §3.1.1. */
const Passphrase = plainText(256).check(Schema.isMinLength(12))

/** A hash as it is on the bank's letter. Blanks, colons and case do not count. */
const TypedHash = plainText(200)

/** Path parameter of an account. */
export const uuid = { uuid: Schema.String.pipe(Schema.check(Schema.isUUID())) }
/** Permissions. */
export const [view, manage] = ["ebics.view", "ebics.manage"] as const
const stepErrors = [
  NotFound,
  Errors.WrongStep,
  Errors.StepUnderWay,
  Errors.AccountUnfit,
  Errors.PassphraseMissing
] as const
/** Errors of a step that asks the bank. */
export const bankErrors = [...stepErrors, Errors.BankRefused, Errors.BankFailed] as const
/** Documentation of an endpoint. */
export const told = (summary: string, description?: string) =>
  OpenApi.annotations({ summary, ...(description === undefined ? {} : { description }) })

export const bankKeys = HttpApiGroup.make("bankKeys")
  .add(
    HttpApiEndpoint.get("status", "/status", { params: uuid, success: KeyStatusView, error: NotFound })
      .annotate(Requires, view)
      .annotateMerge(told("Key status, hashes of all keys, and the next step")),
    HttpApiEndpoint.post("init", "/init", {
      params: uuid,
      payload: [Schema.Struct({ passphrase: Schema.optionalKey(Passphrase) }), Schema.Null],
      success: KeyStatusView,
      error: stepErrors
    })
      .annotate(Requires, manage)
      .annotateMerge(
        told(
          "Generate the keys",
          "With `passphrase` the private keys are encrypted by it as well. The passphrase is only kept in memory; " +
            "after a restart keys/unlock needs it again."
        )
      ),
    HttpApiEndpoint.post("ini", "/ini", { params: uuid, success: KeyStatusView, error: bankErrors })
      .annotate(Requires, manage)
      .annotateMerge(told("Send the signature key to the bank (INI)", "Asks the bank for its versions first (HEV).")),
    HttpApiEndpoint.post("hia", "/hia", { params: uuid, success: KeyStatusView, error: bankErrors })
      .annotate(Requires, manage)
      .annotateMerge(told("Send the authentication and encryption keys to the bank (HIA)")),
    HttpApiEndpoint.post("activate", "/activate", { params: uuid, success: KeyStatusView, error: bankErrors })
      .annotate(Requires, manage)
      .annotateMerge(
        told(
          "Check whether the bank has released the keys (HPB)",
          "A bank that has not yet released them changes nothing; `last_answer` says so. The bank's keys then wait " +
            "for keys/bank/accept."
        )
      ),
    HttpApiEndpoint.get("letter", "/ini-letter", {
      params: uuid,
      query: inLanguage,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/pdf" }),
      error: [NotFound, Errors.WrongStep]
    })
      .annotate(Requires, view)
      .annotateMerge(told("INI and HIA letters as one PDF, to sign and mail to the bank")),
    HttpApiEndpoint.post("acceptBank", "/bank/accept", {
      params: uuid,
      payload: Schema.Struct({
        /** Hash of the bank's key X002, or of its certificate. */
        authentication: TypedHash,
        /** Hash of the bank's key E002, or of its certificate. */
        encryption: TypedHash
      }),
      success: KeyStatusView,
      error: [NotFound, Errors.WrongStep, Errors.HashesDiffer, Errors.AccountUnfit]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        told("Accept the bank's keys", "The hashes are those of the bank's letter. Fetching continues afterwards.")
      ),
    HttpApiEndpoint.post("refreshBank", "/bank/refresh", { params: uuid, success: KeyStatusView, error: bankErrors })
      .annotate(Requires, manage)
      .annotateMerge(
        told("Fetch the bank's keys again (HPB)", "Keys that changed stop fetching until a person accepts them.")
      ),
    HttpApiEndpoint.post("suspend", "/suspend", { params: uuid, success: KeyStatusView, error: stepErrors })
      .annotate(Requires, manage)
      .annotateMerge(told("Suspend fetching")),
    HttpApiEndpoint.post("resume", "/resume", { params: uuid, success: KeyStatusView, error: stepErrors })
      .annotate(Requires, manage)
      .annotateMerge(told("Resume fetching", "Also ends a stop, unless changed keys of the bank wait for a person.")),
    HttpApiEndpoint.post("reset", "/reset", {
      params: uuid,
      payload: Schema.Struct({
        /** The IBAN of the account, as confirmation. */
        confirm: Field.Iban
      }),
      success: KeyStatusView,
      error: [NotFound, Errors.StepUnderWay]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        told(
          "Destroy the keys and begin again",
          "The bank must reset the user too. New letters are necessary. `confirm` is the account's IBAN."
        )
      ),
    HttpApiEndpoint.post("unlock", "/unlock", {
      params: uuid,
      payload: Schema.Struct({ passphrase: plainText(256) }),
      success: KeyStatusView,
      error: [NotFound, Errors.WrongStep]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        told(
          "Give the passphrase of the keys",
          "422 for a wrong one. Only this process keeps it, in memory, until it ends."
        )
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/ebics/accounts/:uuid/keys")
