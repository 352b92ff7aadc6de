/**
 * Encodes commands to the switch. Pure. A command is one line, ended by an empty line. A line break inside would start
 * another command, so texts with line breaks are refused here. It does not interpret commands or build dial strings.
 */
import { Result } from "effect"

/**
 * Longest command. Unit: bytes. Reason: far above any originate command; the switch's own limit is 10 MiB. Source:
 * mod_event_socket.c.
 */
export const maxCommandBytes = 64 * 1024

/**
 * Text of a command, or the reason why it cannot be sent. The reason never quotes the text, which may be the password.
 */
export type Command = Result.Result<string, string>

export const auth = (password: string): Command =>
  password === "" ? Result.fail("an empty password") : line(`auth ${password}`, "the password")

export const api = (command: string): Command => named("api", command)

/** `jobUuid`: id that the BACKGROUND_JOB event will carry. */
export const bgapi = (command: string, jobUuid: string): Command =>
  isUuid(jobUuid)
    ? Result.map(named("bgapi", command), (text) => `${text.slice(0, -1)}Job-UUID: ${jobUuid}\n\n`)
    : Result.fail("a job uuid that is none")

/**
 * Subscribes to these events in JSON, and to CUSTOM events of these subclasses. The subscription ends with the
 * connection.
 */
export const eventJson = (names: ReadonlyArray<string>, subclasses: ReadonlyArray<string> = []): Command =>
  names.length > 0 &&
  names.every((name) => /^[A-Z_]+$/.test(name) && name !== "CUSTOM") &&
  subclasses.every((name) => /^\w+::\w+$/.test(name))
    ? // The switch reads all words after CUSTOM as subclasses.
      line(
        ["event json", ...names, ...(subclasses.length === 0 ? [] : ["CUSTOM", ...subclasses])].join(" "),
        "the event names"
      )
    : Result.fail("an event name that is none")

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/**
 * Name of a command for errors and spans: `api status` for `api status …`. Arguments are left out because they can be
 * phone numbers.
 */
export const titleOf = (verb: string, command: string): string =>
  `${verb} ${/^[\w-]{1,40}/.exec(command.trim())?.[0] ?? "?"}`

const named = (verb: string, command: string): Command =>
  command.trim() === "" ? Result.fail("an empty command") : line(`${verb} ${command}`, "the command")

/**
 * Adds the line ends. Only CR, LF and NUL are refused: to the switch, Unicode line breaks (U+2028, NEL) are ordinary
 * bytes.
 */
const line = (text: string, what: string): Command => {
  // oxlint-disable-next-line no-control-regex
  if (/[\r\n\0]/.test(text)) return Result.fail(`${what} holds a line break or a NUL`)
  if (Buffer.byteLength(text) > maxCommandBytes) return Result.fail(`${what} is longer than ${maxCommandBytes} bytes`)
  return Result.succeed(`${text}\n\n`)
}
