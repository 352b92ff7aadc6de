import type { ComponentChildren } from "preact"
import { words } from "../../lib/Language.ts"
import { Page } from "../../parts/Page.tsx"
import { Tabs } from "../../parts/Tabs.tsx"
import "../telephony/telephony.css"
import "./bank.css"

const t = words({
  en: {
    sections: "Sections of the bank",
    overview: "Overview",
    transactions: "Transactions",
    invoices: "Invoices",
    payments: "Payments",
    customers: "Customers",
    statements: "Statements",
    accounts: "Accounts"
  },
  de: {
    sections: "Abschnitte der Bank",
    overview: "Übersicht",
    transactions: "Umsätze",
    invoices: "Rechnungen",
    payments: "Zahlungen",
    customers: "Kunden",
    statements: "Auszüge",
    accounts: "Konten"
  }
})

const sections = ["overview", "transactions", "invoices", "payments", "customers", "statements", "accounts"] as const
export type BankSection = (typeof sections)[number]

export const sectionTitle = (section: BankSection): string => t()[section]

/** Frame of the pages of the bank, with links to all of them. */
export const BankPage = ({
  actions,
  children,
  section,
  title = t()[section]
}: {
  readonly section: BankSection
  /** Default: the name of the section. */
  readonly title?: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <Page title={title} actions={actions}>
    <Tabs
      label={t().sections}
      of={sections.map((one) => ({
        href: one === "overview" ? "/console/bank" : `/console/bank/${one}`,
        title: t()[one],
        current: one === section
      }))}
    />
    {children}
  </Page>
)
