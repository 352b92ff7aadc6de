import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { invoices as tables } from "./migrations/0003_invoices.ts"

/** Customers' IBANs, invoices and payments. */
export const invoices = Feature.make({ migrations: [tables], layer: Layer.empty })
