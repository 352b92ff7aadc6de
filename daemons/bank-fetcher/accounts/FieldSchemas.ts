/** Fields of bank accounts in requests and answers. */
import { Schema } from "effect"
import { plainText } from "#core/http/Paging.ts"

/** Longest name of an account. Unit: UTF-16 units. Reason: fits in one line of the console. */
const maxName = 100

/** Longest holder. Unit: UTF-16 units. Source: ISO 20022 `Max140Text`, name of a party. */
const maxHolder = 140

/** Longest IBAN as a person writes it, with blanks. Unit: characters. Source: ISO 13616, 34 without blanks. */
const maxIban = 50

/** Longest address of a bank. Unit: characters. Reason: browsers and proxies accept about this length. */
const maxUrl = 2_048

/** Longest cron expression. Unit: characters. Reason: room for lists in each of five fields. */
const maxSchedule = 200

/** Maximum number of order types of an account. Reason: more than there are forms of statements. */
const maxOrders = 20

export const Name = plainText(maxName)
export const Holder = plainText(maxHolder)
/** Blanks and case do not count. */
export const Iban = plainText(maxIban)
export const Bic = plainText(20)
export const Currency = Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/))
/** Source: `checkSubscriber` of protocols/ebics. */
export const HostId = Schema.String.check(Schema.isPattern(/^[!-~]([!-~ ]{0,33}[!-~])?$/))
export const SubscriberId = Schema.String.check(Schema.isPattern(/^[a-zA-Z0-9,=]{1,35}$/))
export const ServerUrl = plainText(maxUrl)
export const Schedule = plainText(maxSchedule)

export const EbicsVersion = Schema.Literals(["H004", "H005"])
export const SignatureVersion = Schema.Literals(["A005", "A006"])
export const DigestKind = Schema.Literals(["key", "certificate"])
/** Bits of new RSA keys. */
export const KeyBits = Schema.Literals([2048, 3072, 4096])
/** Interface document 2 §3.2. */
export const KeyStatus = Schema.Literals(["pending", "keys_generated", "ini_sent", "hia_sent", "active", "suspended"])
export type KeyStatus = typeof KeyStatus.Type

/** A BTF service of H005. */
export const Service = Schema.Struct({
  name: Schema.String.check(Schema.isPattern(/^[A-Z0-9]{3}$/)),
  scope: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z0-9]{2,3}$/))),
  option: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z0-9]{3,10}$/))),
  container: Schema.optionalKey(Schema.Literals(["SVC", "XML", "ZIP"])),
  message: Schema.String.check(Schema.isPattern(/^[a-z.0-9]{1,10}$/)),
  message_version: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9]{2,3}$/))),
  message_variant: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9]{2,3}$/))),
  message_format: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Z0-9]{1,4}$/)))
}).annotate({ identifier: "BankService" })

/** An order type to fetch. `service`: its form in H005; absent: the German one of this order type. */
export const OrderChoice = Schema.Struct({
  order: Schema.String.check(Schema.isPattern(/^[A-Z0-9]{3}$/)),
  kind: Schema.Literals(["daily", "intraday"]),
  service: Schema.optionalKey(Service)
}).annotate({ identifier: "BankOrder" })
export type OrderChoice = typeof OrderChoice.Type

export const OrderChoices = Schema.Array(OrderChoice).check(Schema.isMinLength(1), Schema.isMaxLength(maxOrders))

/** What the bank lists in HTD and HAA. */
export const Permitted = Schema.Struct({
  order_types: Schema.Array(Schema.String),
  services: Schema.Array(Service),
  /** Order types and services that HAA lists as having data to fetch; null: the bank does not offer HAA. */
  available: Schema.NullOr(
    Schema.Struct({ order_types: Schema.Array(Schema.String), services: Schema.Array(Service) })
  ),
  /** Accounts that the user may read. */
  accounts: Schema.Array(
    Schema.Struct({
      iban: Schema.NullOr(Schema.String),
      currency: Schema.NullOr(Schema.String),
      holder: Schema.NullOr(Schema.String)
    })
  ),
  fetched_at: Schema.String
}).annotate({ identifier: "BankPermissions" })
export type Permitted = typeof Permitted.Type
