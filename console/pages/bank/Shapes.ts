/** Answers of the bank's endpoints. */
import type { Answer } from "../../lib/Endpoints.ts"

export type Account = Answer<"GET /api/v1/crm/ebics/accounts/:uuid">
export type KeyStatus = Answer<"GET /api/v1/crm/ebics/accounts/:uuid/keys/status">
export type Fetch = Answer<"GET /api/v1/crm/ebics/fetches/:uuid">
export type Statement = Answer<"GET /api/v1/crm/ebics/statements/:uuid">
export type BankFile = Answer<"GET /api/v1/crm/ebics/files/:uuid">
export type Transaction = Answer<"GET /api/v1/crm/ebics/transactions/:uuid">
export type Suggestions = Answer<"GET /api/v1/crm/ebics/transactions/:uuid/suggestions">
export type Suggestion = Suggestions["suggestions"][number]
export type Batch = Answer<"GET /api/v1/crm/ebics/reconcile/batches/:uuid">
export type Dashboard = Answer<"GET /api/v1/crm/ebics/dashboard">
export type Invoice = Answer<"GET /api/v1/crm/invoices/:uuid">
export type InvoiceRow = Answer<"GET /api/v1/crm/invoices">["items"][number]
export type Payment = Answer<"GET /api/v1/crm/payments/:uuid">
export type BankCustomer = Answer<"GET /api/v1/crm/ebics/customers">["items"][number]
export type PaymentEvent = Answer<"GET /api/v1/payments/webhook-events/:uuid">
export type PaymentEventRow = Answer<"GET /api/v1/payments/webhook-events">["items"][number]
