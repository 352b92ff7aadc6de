/** `signalbox ban`: shows, makes and lifts bans, and exempts addresses from them. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { alertKinds, defaultDays, maxDays, sources } from "./Fields.ts"
import { durationProblem } from "./DurationText.ts"

const operator = () => import("./Operator.ts")

const filters = {
  address: Flag.String("address").pipe(Flag.withDescription("Only what overlaps this address or range"), Flag.optional),
  source: Flag.Literals("source", sources).pipe(Flag.withDescription("Only of this source"), Flag.optional),
  rule: Flag.String("rule").pipe(Flag.withDescription("Only of this rule, such as sip-scanner"), Flag.optional)
}

const duration = (name: string, description: string, usual: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(`${description}: 30m, 12h, 7d; default: ${usual}`),
    Flag.filter(
      (text) => durationProblem(text) === undefined,
      () => "minutes, hours or days, such as 30m, 12h or 7d"
    ),
    Flag.withDefault(usual)
  )

const address = Argument.String("address").pipe(Argument.withDescription("An address, or a range such as 192.0.2.0/24"))
const reason = Flag.String("reason").pipe(Flag.withDescription("Why; for colleagues and the audit log"))

const list = Command.make("list", { ...filters, limit, json }, (flags) =>
  lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists active bans of our daemons and of CrowdSec, newest first."))

const add = Command.make(
  "add",
  { address, reason, for: duration("for", "How long", "24h"), json },
  ({ for: length, ...flags }) => lazily(operator, (module) => module.add({ ...flags, length }))
).pipe(
  Command.withDescription("Bans an address or range at all our listeners and in the written files."),
  Command.withExamples([
    { command: "signalbox ban add 192.0.2.7 --for 7d --reason 'scans our web site'", description: "Bans for a week" }
  ])
)

const lift = Command.make(
  "lift",
  {
    ban: Argument.String("ban").pipe(Argument.withDescription("Id of the ban, or its address")),
    exempt: Flag.String("exempt").pipe(
      Flag.withDescription("How long the address is exempt from bans: 30m, 12h, 7d; 0: not; default: 1h"),
      Flag.filter(
        (text) => text === "0" || durationProblem(text) === undefined,
        () => "0, or minutes, hours or days, such as 30m, 12h or 7d"
      ),
      Flag.withDefault("1h")
    ),
    reason: Flag.optional(reason),
    json
  },
  (flags) => lazily(operator, (module) => module.lift(flags))
).pipe(
  Command.withDescription("Lifts all bans of an address, ours and CrowdSec's, and exempts the address for a time."),
  Command.withExamples([{ command: "signalbox ban lift 192.0.2.7", description: "Lifts the ban of a colleague" }])
)

const exempt = Command.make(
  "exempt",
  {
    address,
    reason: Flag.optional(reason),
    for: duration("for", "How long", "1h"),
    end: Flag.Boolean("end").pipe(
      Flag.withDescription("End the exemption of the address instead"),
      Flag.withDefault(false)
    ),
    json
  },
  ({ for: length, ...flags }) => lazily(operator, (module) => module.exempt({ ...flags, length }))
).pipe(Command.withDescription("Exempts an address or range from bans for a time, or ends the exemption."))

const exemptions = Command.make("exemptions", { limit, json }, (flags) =>
  lazily(operator, (module) => module.exemptions(flags))
).pipe(Command.withDescription("Lists active exemptions, newest first."))

const alerts = Command.make(
  "alerts",
  {
    ...filters,
    kind: Flag.Literals("kind", alertKinds).pipe(Flag.withDescription("Only of this kind"), Flag.optional),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.alerts(flags))
).pipe(Command.withDescription("Lists offences, bans and lifts, newest first."))

const summary = Command.make(
  "summary",
  {
    days: Flag.Int("days").pipe(
      Flag.withDescription(`Number of days, at most ${maxDays}; default: ${defaultDays}`),
      Flag.filter(
        (days) => days >= 1 && days <= maxDays,
        () => `a number from 1 to ${maxDays}`
      ),
      Flag.withDefault(defaultDays)
    ),
    json
  },
  (flags) => lazily(operator, (module) => module.summary(flags))
).pipe(Command.withDescription("Counts bans and offences by rule, source, day and address."))

export const ban = Command.make("ban").pipe(
  Command.withDescription("Bans of addresses by our daemons and CrowdSec, and exemptions from them."),
  Command.withSubcommands([list, add, lift, exempt, exemptions, alerts, summary])
)
