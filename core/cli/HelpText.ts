/** Help texts of the command line. Usage and examples show the program as it is called from a checkout. */
import { CliOutput } from "effect/cli"

/** How the program is called from its folder. Source: README. */
const called = "bin/signalbox"

/** Puts the folder before the program's name wherever a command begins. Pure. */
export const asCalled = (command: string): string =>
  command.replace(/(^|[\s|;&(])signalbox(?=\s|$)/g, (_, before: string) => `${before}${called}`)

const plain = CliOutput.defaultFormatter({ colors: process.stdout.isTTY === true && !process.env["NO_COLOR"] })

export const helpFormatter: CliOutput.Formatter = {
  ...plain,
  formatHelpDoc: (doc) =>
    plain.formatHelpDoc({
      ...doc,
      usage: asCalled(doc.usage),
      ...(doc.examples === undefined
        ? {}
        : { examples: doc.examples.map((example) => ({ ...example, command: asCalled(example.command) })) })
    })
}
