import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { reconciliation as tables } from "./migrations/0004_reconciliation.ts"

/** Matches transactions with invoices, and the dashboard. */
export const reconciliation = Feature.make({ migrations: [tables], layer: Layer.empty })
