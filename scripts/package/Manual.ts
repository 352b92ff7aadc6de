/**
 * Manual pages of the command line: signalbox(1), and one page for each of its commands with all subcommands. Pure.
 * Source: man-pages(7) for the sections, groff_man(7) for the macros.
 */
import { Option } from "effect"
import type { HelpDoc } from "effect/cli"
import type { CommandPage } from "./CommandTree.ts"

export interface ManualOptions {
  readonly version: string
  /** Date of the pages. Unit: seconds since 1970. */
  readonly epoch: number
}

/** Pages by file name. */
export const manualPages = (
  root: CommandPage,
  options: ManualOptions
): ReadonlyArray<readonly [name: string, text: string]> => [
  ["signalbox.1", rootPage(root, options)],
  ...root.subcommands.map((page) => [`${page.path.join("-")}.1`, commandPage(page, options)] as const)
]

/**
 * Text without meaning for groff: its escape character, hyphens that are no minus, control characters of a line, and
 * characters outside ASCII, which groff reads by their number only.
 */
export const escape = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/[^\x00-\x7f]/gu, (char) => `\\[u${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`)
    .replace(/^(?=[.'])/gm, "\\&")

const heading = (name: string, { epoch, version }: ManualOptions) =>
  `.TH "${escape(name.toUpperCase())}" 1 "${new Date(epoch * 1_000).toISOString().slice(0, 10)}" ` +
  `"Signalbox ${version}" "Signalbox"`

/** First sentence without its point, as apropos(1) shows it. */
const summary = ({ description }: HelpDoc.HelpDoc): string => /^.*?(?=\.(?:\s|$)|$)/s.exec(description)![0]

const rootPage = (root: CommandPage, options: ManualOptions): string =>
  lines(
    heading("signalbox", options),
    ".SH NAME",
    `signalbox \\- ${escape(summary(root.doc))}`,
    ".SH SYNOPSIS",
    ".B signalbox",
    ".I command",
    "[flags]",
    ".SH DESCRIPTION",
    escape(root.doc.description),
    ".SH COMMANDS",
    ...root.subcommands.flatMap(({ doc, path }) => [
      ".TP",
      `.BR ${escape(path.join("-"))} (1)`,
      escape(doc.description)
    ]),
    ...flagSection(root.doc.globalFlags ?? []),
    ".SH ENVIRONMENT",
    "Variables and the files of",
    ".I /etc/signalbox",
    "are the configuration.",
    ".B signalbox check \\-\\-list",
    "prints every variable with its meaning.",
    ".SH EXIT STATUS",
    ...[
      ["0", "Success."],
      ["1", "The command failed; the reason is on standard error."],
      ["64", "The command line is wrong."],
      ["78", "The configuration is wrong, or the database is of a newer version. A restart does not help."]
    ].flatMap(([code, text]) => [".TP", `.B ${code}`, escape(text!)]),
    ".SH FILES",
    ".TP",
    ".I /etc/signalbox/signalbox.env",
    "Settings of all daemons.",
    ".TP",
    ".I /etc/signalbox/NAME.env",
    "Settings of one daemon.",
    ".TP",
    ".I /var/lib/signalbox",
    "Data of the units."
  )

const commandPage = (page: CommandPage, options: ManualOptions): string =>
  lines(
    heading(page.path.join("-"), options),
    ".SH NAME",
    `${escape(page.path.join("-"))} \\- ${escape(summary(page.doc))}`,
    ".SH SYNOPSIS",
    ...synopsis(page),
    ".SH DESCRIPTION",
    escape(page.doc.description),
    ...flagSection([...(page.doc.flags ?? []), ...(page.doc.inheritedFlags ?? [])]),
    ...argumentSection(page.doc),
    ...(page.subcommands.length === 0 ? [] : [".SH COMMANDS", ...page.subcommands.flatMap(subcommand)]),
    ...exampleSection(page.doc),
    ".SH SEE ALSO",
    ".BR signalbox (1)"
  )

/** Lines of all commands of a page that can be called. */
const synopsis = ({ doc, subcommands }: CommandPage): ReadonlyArray<string> =>
  subcommands.length === 0
    ? [`.B ${escape(doc.usage)}`]
    : subcommands.flatMap((page, index) => [...(index === 0 ? [] : [".br"]), ...synopsis(page)])

const subcommand = (page: CommandPage): ReadonlyArray<string> => {
  const flags = [...page.doc.flags, ...(page.doc.args ?? []).map(argumentAsFlag)]
  return [
    `.SS "${escape(page.path.slice(1).join(" "))}"`,
    escape(page.doc.description),
    ...flags.flatMap(flagEntry),
    ...(page.doc.examples ?? []).flatMap(exampleEntry),
    ...page.subcommands.flatMap(subcommand)
  ]
}

interface Entry {
  readonly term: string
  readonly text: string
}

const flagOf = ({ aliases, description, name, required, type }: HelpDoc.FlagDoc): Entry => ({
  term: [`--${name}`, ...aliases].join(", ") + (type === "boolean" ? "" : ` ${type}`),
  text: Option.getOrElse(description, () => "") + (required ? " Required." : "")
})

const argumentAsFlag = ({ description, name, required, variadic }: HelpDoc.ArgDoc): Entry => ({
  term: variadic ? `${name}...` : name,
  text: Option.getOrElse(description, () => "") + (required ? "" : " Optional.")
})

const entry = ({ term, text }: Entry): ReadonlyArray<string> => [
  ".TP",
  `.B ${escape(term)}`,
  escape(text.trim()) || "\\&"
]

const flagEntry = (flag: HelpDoc.FlagDoc | Entry): ReadonlyArray<string> => entry("term" in flag ? flag : flagOf(flag))

const flagSection = (flags: ReadonlyArray<HelpDoc.FlagDoc>): ReadonlyArray<string> =>
  flags.length === 0 ? [] : [".SH OPTIONS", ...flags.flatMap(flagEntry)]

const argumentSection = ({ args = [] }: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  args.length === 0 ? [] : [".SH ARGUMENTS", ...args.map(argumentAsFlag).flatMap(entry)]

const exampleEntry = ({ command, description }: HelpDoc.ExampleDoc): ReadonlyArray<string> => [
  ".PP",
  ...(description === undefined ? [] : [`${escape(description)}:`]),
  ".PP",
  ".EX",
  escape(command),
  ".EE"
]

const exampleSection = ({ examples = [] }: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  examples.length === 0 ? [] : [".SH EXAMPLES", ...examples.flatMap(exampleEntry)]

const lines = (...parts: ReadonlyArray<string>): string => `${parts.join("\n")}\n`
