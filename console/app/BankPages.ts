/** Pages of the bank below its overview. The order decides between paths that both match. */
import type { PageEntry } from "./PageEntry.ts"

export const bankPages: ReadonlyArray<PageEntry> = [
  { path: "/bank/transactions", load: () => import("../pages/bank/transactions/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/invoices", load: () => import("../pages/bank/invoices/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/invoices/:uuid", load: () => import("../pages/bank/invoices/Invoice.tsx"), needs: "ebics.view" },
  { path: "/bank/payments", load: () => import("../pages/bank/payments/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/payments/events", load: () => import("../pages/bank/payments/Events.tsx"), needs: "ebics.view" },
  { path: "/bank/payments/events/:uuid", load: () => import("../pages/bank/payments/Event.tsx"), needs: "ebics.view" },
  { path: "/bank/payments/:uuid", load: () => import("../pages/bank/payments/Payment.tsx"), needs: "ebics.view" },
  { path: "/bank/customers", load: () => import("../pages/bank/customers/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/statements", load: () => import("../pages/bank/statements/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/statements/files", load: () => import("../pages/bank/statements/Files.tsx"), needs: "ebics.view" },
  { path: "/bank/statements/:uuid", load: () => import("../pages/bank/statements/Statement.tsx"), needs: "ebics.view" },
  { path: "/bank/accounts", load: () => import("../pages/bank/accounts/Page.tsx"), needs: "ebics.view" },
  { path: "/bank/accounts/new", load: () => import("../pages/bank/accounts/New.tsx"), needs: "ebics.manage" },
  { path: "/bank/accounts/:uuid", load: () => import("../pages/bank/accounts/Account.tsx"), needs: "ebics.view" }
]
