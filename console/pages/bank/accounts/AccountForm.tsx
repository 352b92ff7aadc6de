import { call } from "../../../lib/Call.ts"
import type { Payload } from "../../../lib/Endpoints.ts"
import { words } from "../../../lib/Language.ts"
import { FieldsForm } from "../../telephony/FieldsForm.tsx"
import type { Field } from "../../telephony/Kind.ts"
import { told } from "../Refusals.ts"
import type { Account } from "../Shapes.ts"

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
    enabled: "Fetch by schedule"
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
    enabled: "Nach Zeitplan abrufen"
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
  { name: "fetch_enabled", label: () => t().enabled, input: { kind: "check" }, initial: true }
]

/** Request of the form's values. The number of bits is a choice of texts in the form. */
const sent = ({ key_bits, ...payload }: Record<string, unknown>) =>
  ({ ...payload, ...(key_bits === undefined ? {} : { key_bits: Number(key_bits) }) }) as never

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
    row={account === undefined ? undefined : { ...account, key_bits: String(account.key_bits) }}
    told={told}
    shut={shut}
    send={(payload) =>
      (account === undefined
        ? call("POST /api/v1/crm/ebics/accounts", { payload: sent(payload) })
        : call("PUT /api/v1/crm/ebics/accounts/:uuid", { params: { uuid: account.id }, payload: sent(payload) })
      ).then(saved)
    }
  />
)
