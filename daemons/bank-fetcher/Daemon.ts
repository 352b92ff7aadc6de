import * as Daemon from "#core/daemon/Daemon.ts"
import { accounts } from "./accounts/Feature.ts"
import { fetching } from "./fetching/Feature.ts"
import { invoices } from "./invoices/Feature.ts"
import { paymentWebhooks } from "./payment-webhooks/Feature.ts"
import { reconciliation } from "./reconciliation/Feature.ts"
import { statements } from "./statements/Feature.ts"
import "./HealthTexts.ts"
import "./ProblemTexts.ts"

/** Bank accounts, their statements, and money matched to invoices. */
export const bankFetcher = Daemon.make({
  name: "bank-fetcher",
  title: "Bank",
  description: "Fetches bank statements by EBICS, and matches the money to open invoices",
  port: 8111,
  features: [accounts, fetching, statements, invoices, reconciliation, paymentWebhooks]
})
