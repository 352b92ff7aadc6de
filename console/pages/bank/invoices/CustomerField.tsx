import { call } from "../../../lib/Call.ts"
import { type Customer, CustomerPicker, type Customers } from "../../../parts/CustomerPicker.tsx"
import type { OwnInput } from "../../telephony/Kind.ts"
import { ownTenant } from "../Accounts.ts"
import type { BankCustomer } from "../Shapes.ts"

/** Customers that a search offers. */
const offered = 12

const customer = ({
  customer_id: id,
  name,
  number
}: Pick<BankCustomer, "customer_id" | "name" | "number">): Customer => ({ id, name, number })

/** Customers as the bank daemon knows them, which needs no permission for customers. */
const bankCustomers: Customers = {
  find: (q) =>
    call("GET /api/v1/crm/ebics/customers", { query: { ...ownTenant(), q, limit: offered } }).then(({ items }) =>
      items.map(customer)
    ),
  load: (id) =>
    call("GET /api/v1/crm/ebics/customers/:customer_id/ibans", { params: { customer_id: id } }).then(customer)
}

/** Field for a customer; its value is the customer's id. */
export const CustomerField = (input: OwnInput) => <CustomerPicker {...input} of={bankCustomers} />
