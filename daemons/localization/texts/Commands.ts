/** Commands of languages and texts. */
import { Argument, Command, Flag } from "effect/cli"
import { lazily } from "#core/cli/Fleet.ts"
import { limit } from "#core/cli/Limit.ts"
import { json } from "#core/cli/Output.ts"
import { textStates } from "./Fields.ts"

const operator = () => import("./Operator.ts")
const locale = Argument.String("locale").pipe(Argument.withDescription("Language tag such as de or pt-BR"))
const key = Argument.String("key").pipe(Argument.withDescription("Key of the text"))

const languages = Command.make("languages", { json }, (flags) =>
  lazily(operator, (module) => module.languages(flags))
).pipe(Command.withDescription("Lists the languages with the numbers of their translated and stale texts."))

const add = Command.make(
  "add",
  {
    locale,
    label: Argument.String("label").pipe(Argument.withDescription("Name in this language, such as Français")),
    json
  },
  (flags) => lazily(operator, (module) => module.add(flags))
).pipe(Command.withDescription("Adds a language. Its texts are English until they are translated."))

const remove = Command.make("remove", { locale, json }, (flags) =>
  lazily(operator, (module) => module.remove(flags))
).pipe(Command.withDescription("Removes a language and its automatic translations."))

const forget = Command.make("forget", { locale, json }, (flags) =>
  lazily(operator, (module) => module.forget(flags))
).pipe(Command.withDescription("Forgets the automatic translations of a language."))

const texts = Command.make(
  "texts",
  {
    locale,
    search: Flag.String("search").pipe(
      Flag.withDescription("Part of the key, the English text or the translation"),
      Flag.optional
    ),
    state: Flag.Literals("state", textStates).pipe(Flag.withDescription("Only texts in this state"), Flag.optional),
    limit,
    json
  },
  (flags) => lazily(operator, (module) => module.texts(flags))
).pipe(Command.withDescription("Lists the texts of a language, stale ones first."))

const set = Command.make(
  "set",
  { locale, key, value: Argument.String("value").pipe(Argument.withDescription("The text")), json },
  (flags) => lazily(operator, (module) => module.set(flags))
).pipe(
  Command.withDescription("Overrides a text. In English, a new key is registered."),
  Command.withExamples([
    { command: "signalbox localization set de shop.title Willkommen", description: "Shown within a second" }
  ])
)

const reset = Command.make("reset", { locale, key, json }, (flags) =>
  lazily(operator, (module) => module.reset(flags))
).pipe(Command.withDescription("Removes an override. An English text that does not ship is removed with its key."))

const history = Command.make("history", { locale, key, limit, json }, (flags) =>
  lazily(operator, (module) => module.history(flags))
).pipe(Command.withDescription("Lists the changes of a text, newest first."))

export const textCommands = [languages, add, remove, forget, texts, set, reset, history] as const
