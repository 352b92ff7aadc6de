/** Rows of document 2, §4.6: bank statements and transactions. The test has imported a file with one of each. */
import type { Row } from "./Row.ts"

export const documentTwoBankStatements: ReadonlyArray<Row> = [
  {
    section: "2 §4.6",
    endpoint: "GET /api/v1/crm/ebics/statements",
    out: ["items", "items.0.id"],
    keeps: { bank_statement: "items.0.id" }
  },
  { section: "2 §4.6", endpoint: "GET /api/v1/crm/ebics/statements/{bank_statement}", out: ["id"] },
  {
    section: "2 §4.6",
    endpoint: "GET /api/v1/crm/ebics/statements/{bank_statement}/raw",
    also: ({ text }) => (text.includes("<BkToCstmrStmt>") ? undefined : "is not the original file")
  },
  {
    section: "2 §4.6",
    endpoint: "GET /api/v1/crm/ebics/transactions",
    out: ["items", "items.0.reconciliation_status"],
    keeps: { bank_transaction: "items.0.id" }
  },
  {
    section: "2 §4.6, §2.6",
    endpoint: "GET /api/v1/crm/ebics/transactions/{bank_transaction}",
    out: ["id", "reconciliation_status", "end_to_end_id"],
    values: { reconciliation_status: "unmatched" }
  }
]
