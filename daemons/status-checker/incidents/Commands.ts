/** `signalbox status incident`: manages the incidents of the database. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { json } from "#core/cli/Output.ts"
import { incidentStatuses, severities } from "../status/Vocabulary.ts"
import { limit } from "../status/LimitFlag.ts"

const operator = () => import("./Operator.ts")

const which = Argument.String("incident").pipe(Argument.withDescription("Its id, as `list` shows it"))

const title = Flag.String("title").pipe(Flag.withDescription("Title in German"))
const titleEn = Flag.String("title-en").pipe(Flag.withDescription("Title in English"))
const message = Flag.String("message").pipe(Flag.withDescription("What is said of it in German"))
const messageEn = Flag.String("message-en").pipe(Flag.withDescription("What is said of it in English"))
const severity = Flag.Literals("severity", severities).pipe(Flag.withDescription("How bad it is"))
const components = Flag.String("components").pipe(Flag.withDescription("Ids of what is affected, separated by commas"))
const status = Flag.Literals("status", incidentStatuses).pipe(Flag.withDescription("How far it is understood"))

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
    "Lists incidents that are kept here, newest first; drafts, too. Those of INCIDENTS_FILE are in that file."
  ),
  Command.withExamples([
    {
      command: "signalbox status incident list --state draft",
      description: "What was proposed and waits to be published"
    }
  ])
)

const show = Command.make("show", { which, json }, (flags) => lazily(operator, (module) => module.show(flags))).pipe(
  Command.withDescription("Shows one incident with all that was said of it.")
)

const draft = Command.make(
  "draft",
  {
    title,
    titleEn,
    message,
    messageEn,
    severity: severity.pipe(Flag.withDefault("minor" as const)),
    status: status.pipe(Flag.withDefault("investigating" as const)),
    components: components.pipe(Flag.withDefault("")),
    id: Flag.String("id").pipe(
      Flag.withDescription("How it is called in addresses; without it made of day and title"),
      Flag.optional
    ),
    began: Flag.String("began").pipe(
      Flag.withDescription("When it began, such as 2030-01-31T12:00:00Z, or 20m, 2h for so long ago"),
      Flag.optional
    ),
    publish: Flag.Boolean("publish").pipe(Flag.withDescription("Publish it at once"), Flag.withDefault(false)),
    json
  },
  (flags) => lazily(operator, (module) => module.draft(flags))
).pipe(
  Command.withDescription("Drafts an incident. Nobody sees it, and nobody is told, until it is published."),
  Command.withExamples([
    {
      command:
        "signalbox status incident draft --title 'Ausfall: Webmail' --title-en 'Outage: Webmail' --message 'Wir suchen.' --message-en 'We are looking.' --components webmail --severity major --publish",
      description: "Told to everybody at once"
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
).pipe(
  Command.withDescription("Changes the words of an incident, and of what was said of it last. Nobody is told again.")
)

const update = Command.make("update", { which, status, message, messageEn, json }, (flags) =>
  lazily(operator, (module) => module.update(flags))
).pipe(
  Command.withDescription("Tells more of a published incident. Subscribers are told."),
  Command.withExamples([
    {
      command:
        "signalbox status incident update 2030-01-31-outage-webmail --status monitoring --message 'Es läuft wieder.' --message-en 'It works again.'",
      description: "The cause is found and gone, and somebody watches"
    }
  ])
)

const publish = Command.make("publish", { which, json }, (flags) =>
  lazily(operator, (module) => module.publish(flags))
).pipe(
  Command.withDescription("Publishes a draft: everybody sees it, and subscribers are told."),
  Command.withExamples([
    {
      command: "signalbox status incident publish 2030-01-31-outage-webmail",
      description: "What was proposed, as it is"
    }
  ])
)

const resolve = Command.make(
  "resolve",
  { which, message: message.pipe(Flag.optional), messageEn: messageEn.pipe(Flag.optional), json },
  (flags) => lazily(operator, (module) => module.resolve(flags))
).pipe(
  Command.withDescription("Says that an incident is over; without --message in usual words."),
  Command.withExamples([
    { command: "signalbox status incident resolve 2030-01-31-outage-webmail", description: "It is over" }
  ])
)

const remove = Command.make("delete", { which, json }, (flags) =>
  lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Deletes a draft. What was published stays: resolve it."))

export const incident = Command.make("incident").pipe(
  Command.withDescription("What went wrong, and what is said of it."),
  Command.withSubcommands([list, show, draft, edit, update, publish, resolve, remove])
)
