/** `signalbox bank`: accounts, statements, invoices and matching. Each feature adds its commands. */
import { Command } from "effect/cli"
import { account, keys } from "./accounts/Commands.ts"

export const bank = Command.make("bank").pipe(
  Command.withDescription("Bank accounts, statements, invoices, and the matching of payments."),
  Command.withSubcommands([account, keys])
import { dashboard, ignore, match, reconcile, suggestions, undo } from "./reconciliation/Commands.ts"
import { files, importFiles, parse, raw, statements, transactions } from "./statements/Commands.ts"

export const bank = Command.make("bank").pipe(
  Command.withDescription("Bank accounts, statements, invoices, and the matching of payments."),
  Command.withSubcommands([importFiles, files, parse, statements, transactions, raw])
import { customerIbans, invoice, payment } from "./invoices/Commands.ts"
import { webhookEvents } from "./payment-webhooks/Commands.ts"

export const bank = Command.make("bank").pipe(
  Command.withDescription("Bank accounts, statements, invoices, and the matching of payments."),
  Command.withSubcommands([invoice, payment, customerIbans, webhookEvents])
  Command.withSubcommands([
    importFiles,
    files,
    parse,
    statements,
    transactions,
    raw,
    reconcile,
    suggestions,
    match,
    ignore,
    undo,
    dashboard
  ])
import { fetch, fetches } from "./fetching/Commands.ts"

export const bank = Command.make("bank").pipe(
  Command.withDescription("Bank accounts, statements, invoices, and the matching of payments."),
  Command.withSubcommands([fetch, fetches])
)
