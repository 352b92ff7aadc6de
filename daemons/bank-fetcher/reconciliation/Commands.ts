/** `signalbox bank reconcile`, `suggestions`, `match`, `ignore`, `undo` and `dashboard`. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json, lang } from "#core/cli/Output.ts"
import { providerTenant } from "#core/auth/Caller.ts"

const operator = () => import("./Operator.ts")

const transaction = Argument.String("transaction").pipe(
  Argument.withDescription("Id of the transaction, as in `signalbox bank transactions`")
)

const tenant = Flag.Int("tenant").pipe(
  Flag.withDescription("Tenant; default: the provider's"),
  Flag.withDefault(providerTenant)
)

const ofReasons = lang("Language of the reasons")

export const reconcile = Command.make(
  "reconcile",
  {
    tenant,
    wait: Flag.Boolean("wait").pipe(
      Flag.withDescription("Wait for the end of the batch, and show its progress"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.reconcile(flags))
).pipe(
  Command.withDescription("Starts a batch that decides about all unmatched transactions. The daemon does the work."),
  Command.withExamples([
    { command: "signalbox bank reconcile --wait", description: "Matches what is certain, and suggests the rest" }
  ])
)

export const suggestions = Command.make("suggestions", { transaction, lang: ofReasons, json }, (flags) =>
  lazily(operator, (module) => module.suggestions(flags))
).pipe(Command.withDescription("Shows the invoices that a transaction may pay, and how it is matched now."))

export const match = Command.make(
  "match",
  {
    transaction,
    invoice: Flag.String("invoice").pipe(
      Flag.withDescription("Id or number of an invoice, or number=amount for a part; several: one flag each"),
      Flag.atLeast(1)
    ),
    note: Flag.String("note").pipe(Flag.withDescription("Note for people"), Flag.optional),
    confirmCurrency: Flag.Boolean("confirm-currency").pipe(
      Flag.withDescription("Accept invoices in another currency; each needs its amount"),
      Flag.withDefault(false)
    ),
    lang: ofReasons,
    json
  },
  (flags) => lazily(operator, (module) => module.match(flags))
).pipe(
  Command.withDescription("Matches a transaction with invoices: one payment, which settles them in their order."),
  Command.withExamples([
    {
      command: "signalbox bank match 0190… --invoice RE-2030-0001 --invoice RE-2030-0002=50.00",
      description: "All of the first invoice, and a part of the second one"
    }
  ])
)

export const ignore = Command.make(
  "ignore",
  {
    transaction,
    reason: Flag.String("reason").pipe(Flag.withDescription("Why it pays no invoice; default: none"), Flag.optional),
    lang: ofReasons,
    json
  },
  (flags) => lazily(operator, (module) => module.ignore(flags))
).pipe(Command.withDescription("Ignores a transaction. A match of it is reversed until the ignore is undone."))

export const undo = Command.make("undo", { transaction, lang: ofReasons, json }, (flags) =>
  lazily(operator, (module) => module.undo(flags))
).pipe(Command.withDescription("Undoes the last decision about a transaction, and restores what was before it."))

export const dashboard = Command.make(
  "dashboard",
  {
    tenant,
    days: Flag.Int("days").pipe(
      Flag.withDescription("Days of the daily figures, 1 to 366; default: 7"),
      Flag.filter(
        (days) => days >= 1 && days <= 366,
        () => "a number from 1 to 366"
      ),
      Flag.withDefault(7)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.dashboard(flags))
).pipe(Command.withDescription("Shows balances, what waits for a decision, open invoices, and figures of each day."))
