/** Commands of `signalbox bank` about fetches. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { fetchStates, statementOrders } from "./FetchWords.ts"

const operator = () => import("./Operator.ts")

const day = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(`${description}, such as 2026-01-31`), Flag.optional)

export const fetch = Command.make(
  "fetch",
  {
    account: Argument.String("account").pipe(Argument.withDescription("Id or IBAN of the account")),
    from: day("from", "First day; the bank delivers the days again. Default: what is new at the bank"),
    to: day("to", "Last day; default: today"),
    order: Flag.Literals("order", statementOrders).pipe(
      Flag.withDescription("Order type; default: all that the account has"),
      Flag.optional
    ),
    wait: Flag.Boolean("wait").pipe(
      Flag.withDescription("Wait for the end and show the progress; exit code 1 when the fetch fails"),
      Flag.withDefault(false)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.fetch(flags))
).pipe(
  Command.withDescription("Fetches the statements of an account. The running daemon does the work."),
  Command.withExamples([
    {
      command: "signalbox bank fetch DE02120300000000202051 --from 2026-01-01 --to 2026-01-31 --wait",
      description: "Fetches the statements of January again"
    }
  ])
)

export const fetches = Command.make(
  "fetches",
  {
    account: Flag.String("account").pipe(Flag.withDescription("Only of this account (id or IBAN)"), Flag.optional),
    state: Flag.Literals("state", fetchStates).pipe(Flag.withDescription("Only fetches in this state"), Flag.optional),
    tenant: Flag.Int("tenant").pipe(Flag.withDescription("Only of this tenant"), Flag.optional),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.fetches(flags))
).pipe(
  Command.withDescription("Lists fetches, newest first."),
  Command.withExamples([{ command: "signalbox bank fetches --state failed", description: "What went wrong" }])
)
