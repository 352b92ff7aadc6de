/** Commands of trainings. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { tenant } from "../OperatorFlags.ts"
import { sizes } from "./Phases.ts"

const operator = () => import("./Operator.ts")

const train = Command.make(
  "train",
  {
    word: Argument.String("word").pipe(Argument.withDescription("The word, or a short phrase")),
    language: Flag.String("language").pipe(Flag.withDescription("Language of the word, such as de")),
    name: Flag.String("name").pipe(Flag.withDescription("Name of the model"), Flag.optional),
    seed: Flag.Int("seed").pipe(Flag.withDescription("Seed of all random choices; default: 1"), Flag.withDefault(1)),
    size: Flag.Literals("size", sizes).pipe(
      Flag.withDescription("small: a trial that takes a minute; default: full"),
      Flag.withDefault("full" as const)
    ),
    noUploads: Flag.Boolean("no-uploads").pipe(
      Flag.withDescription("Do not use recordings of the word"),
      Flag.withDefault(false)
    ),
    noWait: Flag.Boolean("no-wait").pipe(
      Flag.withDescription("Do not wait for the end; without it the progress is shown, and exit code 1 is a failure"),
      Flag.withDefault(false)
    ),
    tenant,
    json
  },
  (flags) => lazily(operator, (module) => module.train(flags))
).pipe(
  Command.withDescription("Trains a model for a word. The running daemon does the work."),
  Command.withExamples([
    { command: "signalbox wakeword train 'hallo computer' --language de", description: "Trains a German phrase" }
  ])
)

const training = Command.make("training", { tenant, limit, json }, (flags) =>
  lazily(operator, (module) => module.list(flags))
).pipe(Command.withDescription("Lists the trainings of a tenant, newest first."))

const cancel = Command.make(
  "cancel",
  { job: Argument.String("job").pipe(Argument.withDescription("Id of the training")), json },
  (flags) => lazily(operator, (module) => module.cancel(flags))
).pipe(Command.withDescription("Cancels a training that waits or runs."))

export const trainingCommands = [train, training, cancel] as const
