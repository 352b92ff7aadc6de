import * as Api from "#core/http/Api.ts"
import { customers } from "./customers/Api.ts"
import { invoices } from "./invoice/Api.ts"
import { payments } from "./payment/Api.ts"

/** API definition of the feature. */
export const InvoicesApi = Api.make("invoices").add(customers).add(invoices).add(payments)
