/** Imports of customers from CSV files. */
import { Effect, Result, Schema } from "effect"
import type { CountryCode } from "libphonenumber-js/min"
import * as Imports from "#core/imports/Imports.ts"
import { importWorker, RowRefused } from "#core/imports/ImportWorker.ts"
import * as Jobs from "#core/jobs/Jobs.ts"
import { columnsOf, customerOf } from "./CustomerRow.ts"
import * as Customers from "./Customers.ts"

export const ImportCustomers = Jobs.define(
  "customer.import",
  Schema.Struct({ import_id: Schema.Int, tenant_id: Schema.Int })
)

export const customerImports = Imports.make({
  table: "sip_config.customer_import",
  entity: "customer_import",
  job: ImportCustomers
})

/**
 * Registers the worker. The customer number identifies a customer. `country`: country of numbers without a country
 * code.
 */
export const customerImportWorker = (country: CountryCode) =>
  importWorker(customerImports, {
    columnsOf,
    put: (tenantId, cells, columns, author) => {
      const customer = customerOf(cells, columns, country)
      return Result.isFailure(customer)
        ? Effect.fail(new RowRefused({ message: customer.failure }))
        : Customers.put(tenantId, customer.success, author)
    }
  })
