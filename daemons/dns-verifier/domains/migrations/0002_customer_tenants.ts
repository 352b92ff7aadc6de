import { migration } from "#core/customers/CustomerTenants.ts"

/** Table of the tenants of customers, fed by events. */
export const customerTenants = migration("dns_verifier", 2)
