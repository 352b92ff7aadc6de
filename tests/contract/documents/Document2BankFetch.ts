/** Rows of document 2, §4.6: the fetching of statements. */
import type { Row } from "./Row.ts"

export const documentTwoBankFetch: ReadonlyArray<Row> = [
  {
    section: "2 §4.6",
    endpoint: "POST /api/v1/crm/ebics/accounts/{bank_account}/fetch",
    // The account was deactivated before. A bank is not there.
    status: 409,
    values: { code: "account_not_ready" }
  }
]
