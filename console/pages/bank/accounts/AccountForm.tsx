import { call } from "../../../lib/Call.ts"
import type { Payload } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { told } from "../Refusals.ts"
import type { Account } from "../Shapes.ts"
import { orderChoices, type OrderTexts, orderTexts } from "./OrderChoices.ts"

const t = words({
  en: {
    add: "Add a bank account",
    change: (name: string) => `Change ${name}`,
    name: "Name",
    iban: "IBAN",
    bic: "BIC",
    currency: "Currency",
    currencyHint: "Three letters, such as EUR",
    holder: "Account holder",
    host: "Host ID",
    hostHint: "From the bank's EBICS papers. Leave these four empty to import statements by hand.",
    partner: "Partner ID",
    user: "User ID",
    url: "Server address",
    urlHint: "Begins with https://",
    version: "EBICS version",
    asked: "the bank is asked",
    signature: "Signature version",
    bits: "Length of new keys in bits",
    daily: "Daily fetch",
    dailyHint: "Cron expression in UTC; empty: every morning about 8:00",
    intraday: "Fetches during the day",
    intradayHint: "Cron expression in UTC; empty: hourly from 7:00 to 20:00",
    enabled: "Fetch by schedule",
    ordersDaily: "Order types of the daily fetch",
    ordersDailyHint: "Codes from the bank's papers, such as C53, STA. Leave both empty for the usual ones.",
    ordersIntraday: "Order types during the day",
    ordersIntradayHint: "Such as C52, VMK. Empty beside chosen daily ones: nothing during the day."
  },
  de: {
    add: "Bankkonto hinzufügen",
    change: (name: string) => `${name} ändern`,
    name: "Name",
    iban: "IBAN",
    bic: "BIC",
    currency: "Währung",
    currencyHint: "Drei Buchstaben, etwa EUR",
    holder: "Kontoinhaber",
    host: "Host-ID",
    hostHint: "Aus den EBICS-Papieren der Bank. Lassen Sie diese vier leer, um Auszüge von Hand zu importieren.",
    partner: "Partner-ID (Kunden-ID)",
    user: "Teilnehmer-ID",
    url: "Serveradresse",
    urlHint: "Beginnt mit https://",
    version: "EBICS-Version",
    asked: "die Bank wird gefragt",
    signature: "Version der Unterschrift",
    bits: "Länge neuer Schlüssel in Bit",
    daily: "Täglicher Abruf",
    dailyHint: "Cron-Ausdruck in UTC; leer: jeden Morgen gegen 8:00",
    intraday: "Abrufe während des Tages",
    intradayHint: "Cron-Ausdruck in UTC; leer: stündlich von 7:00 bis 20:00",
    enabled: "Nach Zeitplan abrufen",
    ordersDaily: "Auftragsarten des täglichen Abrufs",
    ordersDailyHint: "Kürzel aus den Papieren der Bank, etwa C53, STA. Beide leer: die üblichen.",
    ordersIntraday: "Auftragsarten während des Tages",
    ordersIntradayHint: "Etwa C52, VMK. Leer neben gewählten täglichen: nichts während des Tages."
  }
})

type NewAccount = Payload<"POST /api/v1/crm/ebics/accounts">

const text = (name: keyof NewAccount & string, label: () => string, more: Partial<Field> = {}): Field => ({
  name,
  label,
  input: { kind: "text" },
  nullable: true,
  ...more
})

const choice = (name: string, label: () => string, options: ReadonlyArray<readonly [string, () => string]>): Field => ({
  name,
  label,
  input: { kind: "choice", options },
  nullable: true
})

/** A text that the form has, but not the request. */
const ownText = (name: keyof OrderTexts, label: () => string, hint: () => string): Field => ({
  name,
  label,
  hint,
  input: { kind: "text" },
  nullable: true
})

const same = (value: string): readonly [string, () => string] => [value, () => value]

const fields: ReadonlyArray<Field> = [
  text("name", () => t().name, { required: true, nullable: false }),
  text("iban", () => t().iban, { required: true, nullable: false, once: true }),
  text("currency", () => t().currency, {
    required: true,
    nullable: false,
    once: true,
    initial: "EUR",
    hint: () => t().currencyHint
  }),
  text("bic", () => t().bic),
  text("holder", () => t().holder),
  text("host_id", () => t().host, { hint: () => t().hostHint }),
  text("partner_id", () => t().partner),
  text("user_id", () => t().user),
  text("server_url", () => t().url, { input: { kind: "text", type: "url" }, hint: () => t().urlHint }),
  choice("ebics_version", () => t().version, [["", () => t().asked], same("H004"), same("H005")]),
  choice("signature_version", () => t().signature, [same("A006"), same("A005")]),
  choice("key_bits", () => t().bits, [same("2048"), same("3072"), same("4096")]),
  text("daily_schedule", () => t().daily, { hint: () => t().dailyHint }),
  text("intraday_schedule", () => t().intraday, { hint: () => t().intradayHint }),
  ownText(
    "orders_daily",
    () => t().ordersDaily,
    () => t().ordersDailyHint
  ),
  ownText(
    "orders_intraday",
    () => t().ordersIntraday,
    () => t().ordersIntradayHint
  ),
  { name: "fetch_enabled", label: () => t().enabled, input: { kind: "check" }, initial: true }
]

/** Request of the form's values. The form has the number of bits and the order types as texts. */
const sent = ({ key_bits, orders_daily, orders_intraday, ...payload }: Record<string, unknown>, before: Choices) => {
  const changed = { ...given({ orders_daily }), ...given({ orders_intraday }) }
  return {
    ...payload,
    ...(key_bits === undefined ? {} : { key_bits: Number(key_bits) }),
    ...(Object.keys(changed).length === 0
      ? {}
      : { order_types: orderChoices({ ...orderTexts(before), ...changed }, before) })
  } as never
}

type Choices = Account["order_types"]

/** A changed text; an emptied one is null. */
const given = <Name extends string>(field: Readonly<Record<Name, unknown>>) =>
  Object.fromEntries(
    Object.entries(field)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value ?? ""])
  ) as { readonly [K in Name]?: string }

/** Form for a bank account, with or without EBICS. */
export const AccountForm = ({
  account,
  saved,
  shut
}: {
  /** Undefined to create an account. */
  readonly account: Account | undefined
  readonly saved: (account: Account) => void
  readonly shut: () => void
}) => (
  <FieldsForm
    title={account === undefined ? t().add : t().change(account.name)}
    fields={fields.filter(({ once }) => account === undefined || once !== true)}
    row={
      account === undefined
        ? undefined
        : { ...account, ...orderTexts(account.order_types), key_bits: String(account.key_bits) }
    }
    told={told}
    shut={shut}
    send={(payload) =>
      (account === undefined
        ? call("POST /api/v1/crm/ebics/accounts", { payload: sent(payload, null) })
        : call("PUT /api/v1/crm/ebics/accounts/:uuid", {
            params: { uuid: account.id },
            payload: sent(payload, account.order_types)
          })
      ).then(saved)
    }
  />
)
