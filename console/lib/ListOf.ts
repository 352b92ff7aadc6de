/** Pages whose last part of the address names an object, and the page of its list. Below `/console`. */
const lists: Readonly<Record<string, string>> = {
  "/alarms/": "/alarms",
  "/workflows/": "/workflows",
  "/users/": "/users",
  "/customers/": "/customers",
  "/numbers/": "/numbers",
  "/mail-domains/": "/mail-domains",
  "/mail/": "/mail",
  "/domains/": "/domains",
  "/bank/accounts/": "/bank/accounts",
  "/bank/invoices/": "/bank/invoices",
  "/bank/payments/events/": "/bank/payments/events",
  "/bank/payments/": "/bank/payments",
  "/bank/statements/": "/bank/statements",
  "/operations/checks/": "/operations/checks",
  "/operations/alerts/": "/operations/alerts",
  "/operations/services/": "/operations/services",
  "/operations/status/incidents/": "/operations/status",
  "/languages/": "/languages",
  "/wake-word/models/": "/wake-word",
  "/wake-word/recordings/": "/wake-word/recordings"
}

/** Address of the list to which the object of a page belongs; undefined for a page that is not of one object. Pure. */
export const listOf = (pathname: string): string | undefined => {
  const path = pathname.replace(/^\/console(?=\/)/, "")
  const prefix = Object.keys(lists).find((one) => path.startsWith(one) && path.length > one.length)
  return prefix === undefined ? undefined : `/console${lists[prefix]!}`
}
