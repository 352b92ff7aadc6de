/** Rows of document 2, §4.6: bank accounts and their keys. */
import type { Row } from "./Row.ts"

/** The inputs that §2.6 names: IBAN, BIC, host ID, partner ID, user ID, server URL. The name is ours. */
const inputs = ["name", "iban", "bic", "host_id", "partner_id", "user_id", "server_url"]

const account = () => ({
  name: "Main account",
  iban: "DE89370400440532013000",
  bic: "COBADEFFXXX",
  host_id: "EBIXHOST",
  partner_id: "PARTNER1",
  user_id: "USER1",
  server_url: "https://ebics.example.org/ebics"
})

const fields = ["id", "iban", "bic", "host_id", "partner_id", "user_id", "server_url", "key_status"]

/** A bank is not there, so a step that needs one is called before the step that it follows. */
const tooEarly = { status: 409, values: { code: "wrong_step", key_status: "pending" } } as const

export const documentTwoBankAccounts: ReadonlyArray<Row> = [
  {
    section: "2 §4.6, §2.6",
    endpoint: "POST /api/v1/crm/ebics/accounts",
    in: inputs,
    body: account,
    status: 201,
    out: fields,
    values: { key_status: "pending" },
    keeps: { bank_account: "id" }
  },
  { section: "2 §4.6", endpoint: "GET /api/v1/crm/ebics/accounts", out: ["items"] },
  { section: "2 §4.6", endpoint: "GET /api/v1/crm/ebics/accounts/{bank_account}", out: fields },
  {
    section: "2 §4.6",
    endpoint: "PUT /api/v1/crm/ebics/accounts/{bank_account}",
    in: ["host_id"],
    body: () => ({ host_id: "EBIXHOST2" }),
    values: { host_id: "EBIXHOST2" }
  },
  { section: "2 §4.6, §3.2", endpoint: "POST /api/v1/crm/ebics/accounts/{bank_account}/keys/ini", ...tooEarly },
  { section: "2 §4.6, §3.2", endpoint: "POST /api/v1/crm/ebics/accounts/{bank_account}/keys/hia", ...tooEarly },
  { section: "2 §4.6, §3.2", endpoint: "POST /api/v1/crm/ebics/accounts/{bank_account}/keys/activate", ...tooEarly },
  { section: "2 §4.6, §3.2", endpoint: "GET /api/v1/crm/ebics/accounts/{bank_account}/keys/ini-letter", ...tooEarly },
  {
    section: "2 §4.6, §3.2",
    endpoint: "POST /api/v1/crm/ebics/accounts/{bank_account}/keys/init",
    values: { key_status: "keys_generated" }
  },
  {
    section: "2 §4.6, §3.2",
    endpoint: "GET /api/v1/crm/ebics/accounts/{bank_account}/keys/status",
    values: { key_status: "keys_generated" }
  },
  { section: "2 §4.6", endpoint: "DELETE /api/v1/crm/ebics/accounts/{bank_account}", status: 204 }
]
