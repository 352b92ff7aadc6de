/** `signalbox status incident`: manages the incidents of the database. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { incidentStatuses, severities } from "../status/Vocabulary.ts"

const operator = () => import("./Operator.ts")

const which = Argument.String("incident").pipe(Argument.withDescription("Id of the incident, as in `list`"))

const title = Flag.String("title").pipe(Flag.withDescription("Title in German"))
const titleEn = Flag.String("title-en").pipe(Flag.withDescription("Title in English"))
const message = Flag.String("message").pipe(Flag.withDescription("Message in German"))
const messageEn = Flag.String("message-en").pipe(Flag.withDescription("Message in English"))
const severity = Flag.Literals("severity", severities).pipe(Flag.withDescription("Severity of the incident"))
const components = Flag.String("components").pipe(
  Flag.withDescription("Ids of the affected components, separated by commas")
)
const status = Flag.Literals("status", incidentStatuses).pipe(Flag.withDescription("Status of the incident"))

const list = Command.make(
  "list",
  {
    state: Flag.Literals("state", ["draft", "open", "resolved"]).pipe(
      Flag.withDescription("Only these"),
      Flag.optional
    ),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.list(flags))
).pipe(
  Command.withDescription(
    "Lists incidents of the database, including drafts, newest first. Does not list those of INCIDENTS_FILE."
  ),
  Command.withExamples([
    { command: "signalbox status incident list --state draft", description: "Drafts that wait to be published" }
  ])
)

const show = Command.make("show", { which, json }, (flags) => lazily(operator, (module) => module.show(flags))).pipe(
  Command.withDescription("Shows one incident with all updates.")
)

const draft = Command.make(
  "draft",
  {
    title,
    titleEn,
    message,
    messageEn,
    severity: severity.pipe(
      Flag.withDescription("Severity of the incident; default: minor"),
      Flag.withDefault("minor" as const)
    ),
    status: status.pipe(
      Flag.withDescription("Status of the incident; default: investigating"),
      Flag.withDefault("investigating" as const)
    ),
    components: components.pipe(Flag.withDefault("")),
    id: Flag.String("id").pipe(
      Flag.withDescription("Id in addresses; default: generated from day and title"),
      Flag.optional
    ),
    began: Flag.String("began").pipe(
      Flag.withDescription("Start, such as 2030-01-31T12:00:00Z, or 20m, 2h for a time ago"),
      Flag.optional
    ),
    publish: Flag.Boolean("publish").pipe(Flag.withDescription("Publish it at once"), Flag.withDefault(false)),
    json
  },
  (flags) => lazily(operator, (module) => module.draft(flags))
).pipe(
  Command.withDescription("Drafts an incident. It is not public, and nobody is notified, until it is published."),
  Command.withExamples([
    {
      command:
        "signalbox status incident draft --title 'Ausfall: Webmail' --title-en 'Outage: Webmail' " +
        "--message 'Wir suchen.' --message-en 'We are looking.' --components webmail --severity major --publish",
      description: "Publishes it at once"
    }
  ])
)

const edit = Command.make(
  "edit",
  {
    which,
    title: title.pipe(Flag.optional),
    titleEn: titleEn.pipe(Flag.optional),
    message: message.pipe(Flag.optional),
    messageEn: messageEn.pipe(Flag.optional),
    severity: severity.pipe(Flag.optional),
    components: components.pipe(Flag.optional),
    json
  },
  (flags) => lazily(operator, (module) => module.edit(flags))
).pipe(Command.withDescription("Edits the texts of an incident and of its newest update. Sends no new notice."))

const update = Command.make("update", { which, status, message, messageEn, json }, (flags) =>
  lazily(operator, (module) => module.update(flags))
).pipe(
  Command.withDescription("Adds an update to a published incident and notifies subscribers."),
  Command.withExamples([
    {
      command:
        "signalbox status incident update 2030-01-31-outage-webmail --status monitoring --message 'Es läuft wieder.' " +
        "--message-en 'It works again.'",
      description: "The cause is fixed, and the result is observed"
    }
  ])
)

const publish = Command.make("publish", { which, json }, (flags) =>
  lazily(operator, (module) => module.publish(flags))
).pipe(
  Command.withDescription("Publishes a draft and notifies subscribers."),
  Command.withExamples([
    {
      command: "signalbox status incident publish 2030-01-31-outage-webmail",
      description: "Publishes a proposal unchanged"
    }
  ])
)

const resolve = Command.make(
  "resolve",
  { which, message: message.pipe(Flag.optional), messageEn: messageEn.pipe(Flag.optional), json },
  (flags) => lazily(operator, (module) => module.resolve(flags))
).pipe(
  Command.withDescription("Resolves an incident; --message has a default."),
  Command.withExamples([
    { command: "signalbox status incident resolve 2030-01-31-outage-webmail", description: "Resolves it" }
  ])
)

const remove = Command.make("delete", { which, json }, (flags) =>
  lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Deletes a draft. Published incidents can only be resolved."))

export const incident = Command.make("incident").pipe(
  Command.withDescription("Manages incidents."),
  Command.withSubcommands([list, show, draft, edit, update, publish, resolve, remove])
)
