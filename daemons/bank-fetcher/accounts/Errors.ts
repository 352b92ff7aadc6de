/** Refusals of calls about bank accounts and their keys. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { codeField, declaration } from "#core/http/Problem.ts"
import { KeyStatus } from "./FieldSchemas.ts"

/** 409: another active account of the tenant has this IBAN. */
export class IbanTaken extends HttpApiError.Problem<IbanTaken>()(
  "IbanTaken",
  declaration("iban_taken", 409, "Another active account has this IBAN"),
  codeField("iban_taken")
) {}

/** 409: the field cannot change, because the bank has the keys of these ids. `fields`: the fields of the request. */
export class KeysInUse extends HttpApiError.Problem<KeysInUse>()(
  "KeysInUse",
  declaration("keys_in_use", 409, "The bank already has the keys of this account"),
  { ...codeField("keys_in_use"), fields: Schema.Array(Schema.String) }
) {}

/** 409: the step does not follow the present state. `next`: the step that does; null: none. */
export class WrongStep extends HttpApiError.Problem<WrongStep>()(
  "WrongStep",
  declaration("wrong_step", 409, "The step does not follow the present key status"),
  { ...codeField("wrong_step"), key_status: KeyStatus, next: Schema.NullOr(Schema.String) }
) {}

/** 409: the same step or another one of the account is under way. */
export class StepUnderWay extends HttpApiError.Problem<StepUnderWay>()(
  "StepUnderWay",
  declaration("step_under_way", 409, "A step of this account is under way"),
  codeField("step_under_way")
) {}

/** 409: the account cannot do this. `reason`: `inactive`, `no_ebics` (ids or server address missing), `stopped`. */
export class AccountUnfit extends HttpApiError.Problem<AccountUnfit>()(
  "AccountUnfit",
  declaration("account_unfit", 409, "The account is not in a condition for this"),
  { ...codeField("account_unfit"), reason: Schema.String }
) {}

/** 409: the private keys wait for their passphrase. */
export class PassphraseMissing extends HttpApiError.Problem<PassphraseMissing>()(
  "PassphraseMissing",
  declaration("keys_locked", 409, "The keys of this account wait for their passphrase"),
  codeField("keys_locked")
) {}

/** 409: the hashes are not those of the keys that the bank sent last. */
export class HashesDiffer extends HttpApiError.Problem<HashesDiffer>()(
  "HashesDiffer",
  declaration("hashes_differ", 409, "The hashes are not those of the bank's keys"),
  { ...codeField("hashes_differ"), differing: Schema.Array(Schema.Literals(["authentication", "encryption"])) }
) {}

/** 409: the bank refused, or is not ready. `bank_code`: return code, six digits. */
export class BankRefused extends HttpApiError.Problem<BankRefused>()(
  "BankRefused",
  declaration("bank_refused", 409, "The bank refused the request"),
  { ...codeField("bank_refused"), bank_code: Schema.String, symbol: Schema.String }
) {}

/** 502: the bank did not answer, or not in EBICS. `retryable`: whether repeating can help. */
export class BankFailed extends HttpApiError.Problem<BankFailed>()(
  "BankFailed",
  declaration("bank_failed", 502, "The bank did not answer as EBICS requires"),
  { ...codeField("bank_failed"), retryable: Schema.Boolean }
) {}
