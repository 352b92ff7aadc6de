/** `signalbox edge`: the door before other services, looked after from this machine. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./EdgeOperator.ts")

const who = Argument.String("user").pipe(Argument.withDescription("Number or e-mail address"))
const route = Argument.Int("route").pipe(Argument.withDescription("Number, as `signalbox edge routes list` has it"))
const limit = Flag.Int("limit").pipe(
  Flag.withDescription("At most so many"),
  Flag.filter(
    (limit) => limit >= 1 && limit <= 1000,
    () => "write a number from 1 to 1000"
  ),
  Flag.withDefault(100)
)

const users = Command.make("users").pipe(
  Command.withDescription("Who may sign in at the edge."),
  Command.withSubcommands([
    Command.make(
      "list",
      {
        status: Flag.Literals("status", ["pending", "active", "blocked"]).pipe(
          Flag.withDescription("Only with this status"),
          Flag.optional
        ),
        limit,
        json
      },
      (flags) => lazily(operator, (module) => module.users(flags))
    ).pipe(Command.withDescription("Lists users; those who wait come first.")),
    Command.make("approve", { who, json }, (flags) => lazily(operator, (module) => module.approve(flags))).pipe(
      Command.withDescription("Admits a user who waits, or one who was blocked.")
    ),
    Command.make("block", { who, json }, (flags) => lazily(operator, (module) => module.block(flags))).pipe(
      Command.withDescription("Blocks a user: signed out everywhere within a second, and no way in.")
    ),
    Command.make(
      "role",
      { who, role: Argument.Literals("role", ["user", "admin"]).pipe(Argument.withDescription("user or admin")), json },
      (flags) => lazily(operator, (module) => module.role(flags))
    ).pipe(Command.withDescription("Makes a user an admin, or an admin a user.")),
    Command.make("reset-factor", { who, json }, (flags) =>
      lazily(operator, (module) => module.resetFactor(flags))
    ).pipe(
      Command.withDescription(
        "Takes a second factor away, for somebody who lost it: their password is enough until they set one up again."
      )
    ),
    Command.make("end-sessions", { who, json }, (flags) =>
      lazily(operator, (module) => module.endSessions(flags))
    ).pipe(Command.withDescription("Signs a user out everywhere, within a second."))
  ])
)

const routes = Command.make("routes").pipe(
  Command.withDescription("What is protected."),
  Command.withSubcommands([
    Command.make("list", { json }, (flags) => lazily(operator, (module) => module.routes(flags))).pipe(
      Command.withDescription("Lists protected places.")
    ),
    Command.make(
      "add",
      {
        host: Argument.String("host").pipe(Argument.withDescription("Such as app.example.org")),
        path: Argument.String("path").pipe(
          Argument.withDescription("A path and all below it; / is the whole host"),
          Argument.withDefault("/")
        ),
        role: Flag.Literals("role", ["user", "admin"]).pipe(
          Flag.withDescription("Who may: user or admin"),
          Flag.withDefault("user" as const)
        ),
        description: Flag.String("description").pipe(Flag.withDescription("For people"), Flag.withDefault("")),
        json
      },
      (flags) => lazily(operator, (module) => module.addRoute(flags))
    ).pipe(
      Command.withDescription("Protects a place, within a second."),
      Command.withExamples([
        {
          command: "signalbox edge routes add app.example.org /admin --role admin",
          description: "Only admins come to /admin"
        }
      ])
    ),
    Command.make("enable", { route, json }, (flags) =>
      lazily(operator, (module) => module.turnRoute({ ...flags, on: true }))
    ).pipe(Command.withDescription("Protects a place again.")),
    Command.make("disable", { route, json }, (flags) =>
      lazily(operator, (module) => module.turnRoute({ ...flags, on: false }))
    ).pipe(Command.withDescription("Leaves a place open, and keeps it in the list.")),
    Command.make("remove", { route, json }, (flags) => lazily(operator, (module) => module.removeRoute(flags))).pipe(
      Command.withDescription("Takes a place from the list: it is open then.")
    )
  ])
)

const sessions = Command.make("sessions").pipe(
  Command.withDescription("Who is signed in."),
  Command.withSubcommands([
    Command.make(
      "list",
      {
        user: Flag.String("user").pipe(Flag.withDescription("Only of this user, by number or address"), Flag.optional),
        limit,
        json
      },
      (flags) => lazily(operator, (module) => module.sessions(flags))
    ).pipe(Command.withDescription("Lists open sessions, newest first.")),
    Command.make(
      "end",
      {
        session: Argument.Int("session").pipe(
          Argument.withDescription("Number, as `signalbox edge sessions list` has it")
        ),
        json
      },
      (flags) => lazily(operator, (module) => module.endSession(flags))
    ).pipe(Command.withDescription("Ends a session, and those handed over from it."))
  ])
)

const coverage = Command.make("coverage", { json }, (flags) =>
  lazily(operator, (module) => module.coverage(flags))
).pipe(
  Command.withDescription(
    "Tells which hosts are really protected: asked about by the proxy, and with an enabled route. Status 1 when one is open."
  ),
  Command.withExamples([
    {
      command: "SIGNALBOX_EDGE_PROXY_CONFIG=/etc/nginx/nginx.conf signalbox edge coverage",
      description: "Every host of nginx"
    }
  ])
)

export const edge = Command.make("edge").pipe(
  Command.withDescription("The door before other services."),
  Command.withSubcommands([users, routes, sessions, coverage])
)
