/** `signalbox edge`: administers edge-auth from this machine. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"

const operator = () => import("./EdgeOperator.ts")

const who = Argument.String("user").pipe(Argument.withDescription("Id or e-mail address"))
const route = Argument.Int("route").pipe(Argument.withDescription("Id, as in `signalbox edge routes list`"))

const users = Command.make("users").pipe(
  Command.withDescription("Users who may sign in."),
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
    ).pipe(Command.withDescription("Lists users; pending users come first.")),
    Command.make(
      "create",
      {
        email: Flag.String("email").pipe(Flag.withDescription("E-mail address for signing in")),
        name: Flag.String("name").pipe(
          Flag.withDescription("Name of the user; default: the part of the address before the @"),
          Flag.optional
        ),
        role: Flag.Literals("role", ["user", "admin"]).pipe(
          Flag.withDescription("user or admin; default: user"),
          Flag.withDefault("user" as const)
        ),
        json
      },
      (flags) => lazily(operator, (module) => module.create(flags))
    ).pipe(
      Command.withDescription("Creates a user, who may sign in at once, and prints the password this one time."),
      Command.withExamples([
        { command: "signalbox edge users create --email anna@example.org", description: "A user with a new password" }
      ])
    ),
    Command.make("password", { who, json }, (flags) => lazily(operator, (module) => module.resetPassword(flags))).pipe(
      Command.withDescription(
        "Gives a user a new password, prints it this one time, and signs the user out everywhere."
      )
    ),
    Command.make("delete", { who, json }, (flags) => lazily(operator, (module) => module.remove(flags))).pipe(
      Command.withDescription("Deletes a user with second factor and sessions; audit entries stay.")
    ),
    Command.make("first-link", { json }, (flags) => lazily(operator, (module) => module.firstLink(flags))).pipe(
      Command.withDescription(
        "Creates the one-time link with which the first user registers and becomes an admin. An earlier link ends."
      )
    ),
    Command.make("approve", { who, json }, (flags) => lazily(operator, (module) => module.approve(flags))).pipe(
      Command.withDescription("Admits a pending user, or unblocks a blocked one.")
    ),
    Command.make("block", { who, json }, (flags) => lazily(operator, (module) => module.block(flags))).pipe(
      Command.withDescription("Blocks a user, who is signed out everywhere within a second.")
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
        "Removes the second factor of a user who lost it. The password is enough until the user sets one up again."
      )
    ),
    Command.make("end-sessions", { who, json }, (flags) =>
      lazily(operator, (module) => module.endSessions(flags))
    ).pipe(Command.withDescription("Signs a user out everywhere, within a second."))
  ])
)

const routes = Command.make("routes").pipe(
  Command.withDescription("Protected routes."),
  Command.withSubcommands([
    Command.make("list", { json }, (flags) => lazily(operator, (module) => module.routes(flags))).pipe(
      Command.withDescription("Lists protected routes.")
    ),
    Command.make(
      "add",
      {
        host: Argument.String("host").pipe(Argument.withDescription("Such as app.example.org")),
        path: Argument.String("path").pipe(
          Argument.withDescription("Path prefix; default: /, the whole host"),
          Argument.withDefault("/")
        ),
        role: Flag.Literals("role", ["user", "admin"]).pipe(
          Flag.withDescription("Required role: user or admin; default: user"),
          Flag.withDefault("user" as const)
        ),
        description: Flag.String("description").pipe(
          Flag.withDescription("Note for administrators; default: none"),
          Flag.withDefault("")
        ),
        json
      },
      (flags) => lazily(operator, (module) => module.addRoute(flags))
    ).pipe(
      Command.withDescription("Adds a protected route; it takes effect within a second."),
      Command.withExamples([
        {
          command: "signalbox edge routes add app.example.org /admin --role admin",
          description: "Only admins reach /admin"
        }
      ])
    ),
    Command.make("enable", { route, json }, (flags) =>
      lazily(operator, (module) => module.turnRoute({ ...flags, on: true }))
    ).pipe(Command.withDescription("Enables a disabled route.")),
    Command.make("disable", { route, json }, (flags) =>
      lazily(operator, (module) => module.turnRoute({ ...flags, on: false }))
    ).pipe(Command.withDescription("Disables a route: the path is open, the route stays in the list.")),
    Command.make("remove", { route, json }, (flags) => lazily(operator, (module) => module.removeRoute(flags))).pipe(
      Command.withDescription("Removes a route: the path is open afterwards.")
    )
  ])
)

const sessions = Command.make("sessions").pipe(
  Command.withDescription("Sessions of signed-in users."),
  Command.withSubcommands([
    Command.make(
      "list",
      {
        user: Flag.String("user").pipe(Flag.withDescription("Only of this user, by id or address"), Flag.optional),
        limit,
        json
      },
      (flags) => lazily(operator, (module) => module.sessions(flags))
    ).pipe(Command.withDescription("Lists open sessions, newest first.")),
    Command.make(
      "end",
      {
        session: Argument.Int("session").pipe(Argument.withDescription("Id, as in `signalbox edge sessions list`")),
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
    "Reports which hosts are protected: the proxy asks about them and a route is enabled. Exit code 1 when a host " +
      "is open."
  ),
  Command.withExamples([
    {
      command: "SIGNALBOX_EDGE_PROXY_CONFIG=/etc/nginx/nginx.conf signalbox edge coverage",
      description: "Reports every host of nginx"
    }
  ])
)

export const edge = Command.make("edge").pipe(
  Command.withDescription("Users, sessions and protected routes of edge-auth."),
  Command.withSubcommands([users, routes, sessions, coverage])
)
