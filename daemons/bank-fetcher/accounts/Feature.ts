import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { accounts as tables } from "./migrations/0001_accounts.ts"

/** Bank accounts, their EBICS keys, and the letters to the bank. */
export const accounts = Feature.make({ migrations: [tables], layer: Layer.empty })
