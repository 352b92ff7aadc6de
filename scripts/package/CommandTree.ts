/** What the command line declares about itself: the help of every command, and completions for shells. */
import { Console, Effect } from "effect"
import { CliOutput, type HelpDoc } from "effect/cli"
import { program } from "#core/cli/Program.ts"
import { version } from "#core/config/Version.ts"
import { commands, daemonOf } from "#daemons/Commands.ts"
import { settingsCommands } from "#daemons/SettingsCommands.ts"

/** The help of a command with that of its subcommands. */
export interface CommandPage {
  /** Names from the program on, such as `["signalbox", "alarm", "send"]`. */
  readonly path: ReadonlyArray<string>
  readonly doc: HelpDoc.HelpDoc
  readonly subcommands: ReadonlyArray<CommandPage>
}

// Each run of the command line listens for signals until the process ends.
process.setMaxListeners(0)

/** Runs the command line in this process. Returns what it printed and the help texts that it showed. */
const called = async (args: ReadonlyArray<string>) => {
  const printed: Array<string> = []
  const shown: Array<HelpDoc.HelpDoc> = []
  const formatter: CliOutput.Formatter = {
    ...CliOutput.defaultFormatter({ colors: false }),
    formatHelpDoc: (doc) => {
      shown.push(doc)
      return ""
    }
  }
  const silent: Console.Console = {
    ...console,
    log: (...words: ReadonlyArray<unknown>) => printed.push(words.join(" "))
  }
  await Effect.runPromise(
    program(
      { version, commands, settingsCommands, daemonOf, daemons: () => Promise.resolve([]), formatter },
      args
    ).pipe(Effect.provideService(Console.Console, silent))
  )
  return { printed: printed.join("\n"), shown }
}

const pageOf = async (path: ReadonlyArray<string>): Promise<CommandPage> => {
  const [doc] = (await called([...path.slice(1), "--help"])).shown
  if (doc === undefined) throw new Error(`${path.join(" ")} --help shows nothing`)
  const subcommands: Array<CommandPage> = []
  for (const { name } of (doc.subcommands ?? []).flatMap((group) => group.commands))
    subcommands.push(await pageOf([...path, name]))
  return { path, doc, subcommands }
}

/** The help of the program and of all its commands. */
export const commandPages = (): Promise<CommandPage> => pageOf(["signalbox"])

/** Where Debian's shells look for the completions of a program, below /usr/share. */
const places = {
  bash: "bash-completion/completions/signalbox",
  zsh: "zsh/vendor-completions/_signalbox",
  fish: "fish/vendor_completions.d/signalbox.fish"
} as const

/** Completions by their path below /usr/share. */
export const completionFiles = async (): Promise<ReadonlyArray<readonly [path: string, text: string]>> => {
  const files: Array<readonly [string, string]> = []
  for (const [shell, path] of Object.entries(places))
    files.push([path, `${(await called(["--completions", shell])).printed}\n`])
  return files
}
