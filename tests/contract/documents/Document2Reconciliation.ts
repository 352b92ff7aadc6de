/** Rows of document 2, §4.6: matching, and the dashboard. The rows before have kept a transaction. */
import type { Row } from "./Row.ts"

const transaction = "/api/v1/crm/ebics/transactions/{bank_transaction}"

export const documentTwoReconciliation: ReadonlyArray<Row> = [
  {
    section: "2 §4.6",
    endpoint: `GET ${transaction}/suggestions`,
    out: ["suggestions"],
    values: { reconciliation_status: "unmatched" }
  },
  {
    section: "2 §4.6, §3.3",
    endpoint: `POST ${transaction}/reconcile`,
    body: ({ bank_invoice: invoice_id }) => ({ allocations: [{ invoice_id }] }),
    values: { reconciliation_status: "manual_matched" }
  },
  { section: "2 §4.6, §3.3", endpoint: `POST ${transaction}/ignore`, values: { reconciliation_status: "ignored" } },
  // The target state of undo is not shown: it is the state before.
  {
    section: "2 §4.6, §3.3",
    endpoint: `POST ${transaction}/undo`,
    values: { reconciliation_status: "manual_matched" }
  },
  { section: "2 §4.6", endpoint: "POST /api/v1/crm/ebics/reconcile/batch", status: 202 },
  { section: "2 §4.6", endpoint: "GET /api/v1/crm/ebics/dashboard", out: ["accounts", "unmatched", "daily"] }
]
