/** States of transactions, invoices, payments and fetches in words and colours. */
import { words } from "../../lib/Language.ts"
import { Badge, type Tone } from "../../parts/Badge.tsx"
import type { Fetch, InvoiceRow, Payment, Transaction } from "./Shapes.ts"

const t = words({
  en: {
    unmatched: "unmatched",
    suggested: "suggestion",
    auto_matched: "matched automatically",
    manual_matched: "matched by hand",
    partial: "matched in part",
    ignored: "ignored",
    open: "open",
    partly: "paid in part",
    paid: "paid",
    cancelled: "cancelled",
    overdue: "overdue",
    waiting: "waiting",
    running: "under way",
    done: "fetched",
    empty: "nothing new",
    failed: "failed",
    bank: "bank",
    manual: "by hand",
    card: "card",
    wallet: "wallet",
    active: "valid",
    undone: "undone"
  },
  de: {
    unmatched: "offen",
    suggested: "Vorschlag",
    auto_matched: "automatisch zugeordnet",
    manual_matched: "von Hand zugeordnet",
    partial: "teilweise zugeordnet",
    ignored: "ignoriert",
    open: "offen",
    partly: "teilweise bezahlt",
    paid: "bezahlt",
    cancelled: "storniert",
    overdue: "überfällig",
    waiting: "wartet",
    running: "läuft",
    done: "abgerufen",
    empty: "nichts Neues",
    failed: "fehlgeschlagen",
    bank: "Bank",
    manual: "von Hand",
    card: "Karte",
    wallet: "Wallet",
    active: "gültig",
    undone: "rückgängig"
  }
})

export type ReconciliationStatus = Transaction["reconciliation_status"]

export const reconciliationStatuses: ReadonlyArray<ReconciliationStatus> = [
  "unmatched",
  "suggested",
  "partial",
  "auto_matched",
  "manual_matched",
  "ignored"
]

export const statusTitle = (status: ReconciliationStatus): string => t()[status]

const statusTones: Readonly<Record<ReconciliationStatus, Tone>> = {
  unmatched: "warning",
  suggested: "info",
  partial: "info",
  auto_matched: "success",
  manual_matched: "success",
  ignored: "quiet"
}

/** Whether the status is a decision that can be undone. */
export const isDecided = (status: ReconciliationStatus): boolean => status !== "unmatched" && status !== "suggested"

export const StatusBadge = ({ of }: { readonly of: ReconciliationStatus }) => (
  <Badge tone={statusTones[of]}>{t()[of]}</Badge>
)

export const invoiceStatuses = ["open", "partial", "paid", "cancelled"] as const

export const invoiceStatusTitle = (status: InvoiceRow["status"]): string =>
  status === "partial" ? t().partly : t()[status]

const invoiceTones: Readonly<Record<InvoiceRow["status"], Tone>> = {
  open: "info",
  partial: "info",
  paid: "success",
  cancelled: "quiet"
}

export const InvoiceBadges = ({ invoice }: { readonly invoice: Pick<InvoiceRow, "overdue" | "status"> }) => (
  <>
    <Badge tone={invoiceTones[invoice.status]}>{invoiceStatusTitle(invoice.status)}</Badge>
    {invoice.overdue ? (
      <>
        {" "}
        <Badge tone="error">{t().overdue}</Badge>
      </>
    ) : null}
  </>
)

export const paymentSources = ["bank", "manual", "card", "wallet"] as const

export const sourceTitle = (source: Payment["source"]): string => t()[source]

export const PaymentBadge = ({ of }: { readonly of: Payment["state"] }) => (
  <Badge tone={of === "active" ? "success" : "quiet"}>{t()[of]}</Badge>
)

export const paymentStateTitle = (state: Payment["state"]): string => t()[state]

const fetchTones: Readonly<Record<Fetch["state"], Tone>> = {
  waiting: "quiet",
  running: "info",
  done: "success",
  empty: "success",
  failed: "error"
}

export const FetchBadge = ({ of }: { readonly of: string }) => {
  const state = of in fetchTones ? (of as Fetch["state"]) : undefined
  return <Badge tone={state === undefined ? "quiet" : fetchTones[state]}>{state === undefined ? of : t()[state]}</Badge>
}
