import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { BodyId, Id, inTenant, page, pageOf, plainText } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"
import * as Errors from "./Errors.ts"
import * as Field from "./FieldSchemas.ts"
import { bankErrors, bankKeys, manage, told, uuid, view } from "./keys/KeyApi.ts"

export const AccountView = Schema.Struct({
  id: Schema.String,
  /** Position in lists. */
  seq: Schema.Int,
  tenant_id: Schema.Int,
  name: Schema.String,
  iban: Schema.String,
  bic: Schema.NullOr(Schema.String),
  currency: Schema.String,
  holder: Schema.NullOr(Schema.String),
  /** Null, with the next three, for an account whose statements are only imported by hand. */
  host_id: Schema.NullOr(Schema.String),
  partner_id: Schema.NullOr(Schema.String),
  user_id: Schema.NullOr(Schema.String),
  server_url: Schema.NullOr(Schema.String),
  /** Null: the bank is asked (HEV) before the first key is sent. */
  ebics_version: Schema.NullOr(Field.EbicsVersion),
  signature_version: Field.SignatureVersion,
  key_bits: Schema.Int,
  /** What the digests of the bank's keys are made of; changed by itself when the bank expects the other kind. */
  digest_kind: Field.DigestKind,
  key_status: Field.KeyStatus,
  /** Whether statements can be fetched now; otherwise GET keys/status says what is missing. */
  ready: Schema.Boolean,
  /** Why fetching waits for a person, such as `bank_keys_changed`; null: it does not. */
  stopped: Schema.NullOr(Schema.String),
  /** What to fetch; null: the usual order types. */
  order_types: Schema.NullOr(Schema.Array(Field.OrderChoice)),
  /** What the bank allows; null: the bank was not asked. */
  permitted: Schema.NullOr(Field.Permitted),
  /** Cron expressions in UTC; null: the usual times. */
  daily_schedule: Schema.NullOr(Schema.String),
  intraday_schedule: Schema.NullOr(Schema.String),
  fetch_enabled: Schema.Boolean,
  active: Schema.Boolean,
  created_at: Schema.String,
  updated_at: Schema.String
}).annotate({ identifier: "BankAccount" })

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Fields that creation and change have in common. */
const changeable = {
  bic: optional(Field.Bic),
  holder: optional(Field.Holder),
  host_id: optional(Field.HostId),
  partner_id: optional(Field.SubscriberId),
  user_id: optional(Field.SubscriberId),
  /** https only; public addresses only. */
  server_url: optional(Field.ServerUrl),
  /** Null: chosen after HEV. */
  ebics_version: optional(Field.EbicsVersion),
  signature_version: Schema.optionalKey(Field.SignatureVersion),
  key_bits: Schema.optionalKey(Field.KeyBits),
  digest_kind: Schema.optionalKey(Field.DigestKind),
  order_types: optional(Field.OrderChoices),
  daily_schedule: optional(Field.Schedule),
  intraday_schedule: optional(Field.Schedule),
  fetch_enabled: Schema.optionalKey(Schema.Boolean)
}

export const CreateAccount = Schema.Struct({
  name: Field.Name,
  iban: Field.Iban,
  /** Default: EUR. */
  currency: Schema.optionalKey(Field.Currency),
  ...changeable,
  /** Tenant of the account, for service tokens. Default: the provider's tenant. */
  tenant_id: Schema.optionalKey(BodyId)
}).annotate({ identifier: "BankAccountCreate" })

export const UpdateAccount = Schema.Struct({ name: Schema.optionalKey(Field.Name), ...changeable }).annotate({
  identifier: "BankAccountUpdate"
})

export const bankAccounts = HttpApiGroup.make("bankAccounts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...page(),
        ...inTenant,
        /** Part of the name, or beginning of the IBAN. */
        q: Schema.optionalKey(plainText(100)),
        key_status: Schema.optionalKey(Field.KeyStatus),
        active: Schema.optionalKey(Schema.Literals(["true", "false"]))
      },
      success: pageOf(AccountView)
    })
      .annotate(Requires, view)
      .annotateMerge(told("Bank accounts, newest first")),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: CreateAccount,
      success: AccountView.pipe(HttpApiSchema.status(201)),
      error: Errors.IbanTaken
    })
      .annotate(Requires, manage)
      .annotateMerge(told("Add a bank account", "Without the EBICS ids, statements are imported by hand.")),
    HttpApiEndpoint.get("show", "/:uuid", { params: uuid, success: AccountView, error: NotFound })
      .annotate(Requires, view)
      .annotateMerge(told("One bank account")),
    HttpApiEndpoint.put("update", "/:uuid", {
      params: uuid,
      payload: UpdateAccount,
      success: AccountView,
      error: [NotFound, Errors.KeysInUse, Errors.StepUnderWay]
    })
      .annotate(Requires, manage)
      .annotateMerge(
        told(
          "Change a bank account",
          "Requires at least one field. The IBAN and the currency cannot change. Ids, server address, protocol and " +
            "signature version change only before INI or after keys/reset (409 `keys_in_use`)."
        )
      ),
    HttpApiEndpoint.delete("deactivate", "/:uuid", { params: uuid, success: HttpApiSchema.NoContent, error: NotFound })
      .annotate(Requires, manage)
      .annotateMerge(
        told(
          "Deactivate a bank account",
          "Nothing is fetched any more. Statements stay, and so do the keys: reactivation needs no new letters. " +
            "keys/reset destroys the keys."
        )
      ),
    HttpApiEndpoint.post("reactivate", "/:uuid/reactivate", {
      params: uuid,
      success: AccountView,
      error: [NotFound, Errors.IbanTaken]
    })
      .annotate(Requires, manage)
      .annotateMerge(told("Reactivate a bank account")),
    HttpApiEndpoint.post("permissions", "/:uuid/permissions", { params: uuid, success: AccountView, error: bankErrors })
      .annotate(Requires, manage)
      .annotateMerge(told("Ask the bank what the account may fetch (HTD and HAA)"))
  )
  .middleware(Authentication)
  .prefix("/api/v1/crm/ebics/accounts")

export const AccountsApi = Api.make("bankAccounts").add(bankAccounts).add(bankKeys)

/** Ids in queries of other features. */
export const AccountId = Schema.String.pipe(Schema.check(Schema.isUUID()))
export { Id }
