/**
 * The command line for tests of many commands. The first run of each command uses the built program, as an operator
 * does. Further runs of the same command, with other arguments, take place in the test process, because the start of a
 * process costs about half a second of processor time.
 */
import { Console, Effect, Exit } from "effect"
import { format } from "node:util"
import { verdict } from "#core/cli/Ending.ts"
import { program } from "#core/cli/Program.ts"
import { Environment as CommandEnvironment } from "#core/config/Environment.ts"
import { version } from "#core/config/Version.ts"
import { commands, daemonOf } from "#daemons/Commands.ts"
import { settingsCommands } from "#daemons/SettingsCommands.ts"
import { type Ended, type Environment, run as runProcess } from "./Executable.ts"

/** Events of the process that a command listens to until its end. */
const signals = ["SIGINT", "SIGTERM"] as const

/** Runs a command, like `run` of Executable.ts. Not for commands that serve or follow events until a stop. */
export type Run = (args: ReadonlyArray<string>, env: Environment) => Promise<Ended>

/** A `run` of one test file. Commands are told apart by their first two words. */
export const commandLine = (): Run => {
  const known = new Set<string>()
  return (args, env) => {
    const name = args.slice(0, 2).join(" ")
    if (known.has(name)) return runHere(args, env)
    known.add(name)
    return runProcess(args, env)
  }
}

/** Runs a command in this process. */
const runHere: Run = async (args, env) => {
  const [stdout, stderr]: [Array<string>, Array<string>] = [[], []]
  const before = signals.map((name) => process.listeners(name))
  const exit = await Effect.runPromiseExit(
    program({ version, commands, settingsCommands, daemonOf, daemons }, args).pipe(
      Effect.provideService(CommandEnvironment, env),
      Effect.provideService(Console.Console, {
        ...globalThis.console,
        log: (...words) => void stdout.push(`${format(...words)}\n`),
        error: (...words) => void stderr.push(`${format(...words)}\n`)
      })
    )
  )
  for (const [index, name] of signals.entries())
    for (const listener of process.listeners(name)) if (!before[index]!.includes(listener)) process.off(name, listener)
  return {
    code: Exit.isSuccess(exit) ? 0 : verdict(exit.cause).code,
    signal: null,
    stdout: stdout.join(""),
    stderr: stderr.join("")
  }
}

const daemons = () => import("#daemons/Suite.ts").then((suite) => suite.daemons)
