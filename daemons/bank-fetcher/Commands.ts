/** `signalbox bank`: accounts, statements, invoices and matching. Each feature adds its commands. */
import { Command } from "effect/cli"
import { account, keys } from "./accounts/Commands.ts"
import { fetch, fetches } from "./fetching/Commands.ts"
import { customerIbans, invoice, payment } from "./invoices/Commands.ts"
import { webhookEvents } from "./payment-webhooks/Commands.ts"
import { dashboard, ignore, match, reconcile, suggestions, undo } from "./reconciliation/Commands.ts"
import { files, importFiles, parse, raw, statements, transactions } from "./statements/Commands.ts"

export const bank = Command.make("bank").pipe(
  Command.withDescription("Bank accounts, statements, invoices, and the matching of payments."),
  Command.withSubcommands([
    dashboard,
    account,
    keys,
    fetch,
    fetches,
    importFiles,
    files,
    parse,
    raw,
    statements,
    transactions,
    suggestions,
    match,
    ignore,
    undo,
    reconcile,
    invoice,
    payment,
    customerIbans,
    webhookEvents
  ])
)
