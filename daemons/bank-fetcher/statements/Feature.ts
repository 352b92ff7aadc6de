import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { statements as tables } from "./migrations/0002_statements.ts"

/** Files from the bank, and the statements and transactions in them. */
export const statements = Feature.make({ migrations: [tables], layer: Layer.empty })
