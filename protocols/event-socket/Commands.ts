/**
 * Commands to the switch, as text. Pure. Each is one line and ends with an empty one; a line break inside would begin a
 * command of its own, so whatever holds one is refused here, for every caller. Not: what a command means, nor how a
 * dial string is built.
 */
import { Result } from "effect"

/**
 * Longest command. Unit: bytes. Reason: far above any originate; the switch's own bound is 10 MiB. Source:
 * mod_event_socket.c.
 */
export const maxCommandBytes = 64 * 1024

/** The command's text, or why it cannot be sent. The reason never quotes what it refuses: it may be the password. */
export type Command = Result.Result<string, string>

export const auth = (password: string): Command =>
  password === "" ? Result.fail("an empty password") : line(`auth ${password}`, "the password")

export const api = (command: string): Command => named("api", command)

/** `jobUuid`: what the BACKGROUND_JOB event will name. */
export const bgapi = (command: string, jobUuid: string): Command =>
  isUuid(jobUuid)
    ? Result.map(named("bgapi", command), (text) => `${text.slice(0, -1)}Job-UUID: ${jobUuid}\n\n`)
    : Result.fail("a job uuid that is none")

/**
 * Subscribes to these events in json, and to CUSTOM ones of these subclasses. The subscription is the connection's: it
 * ends with it.
 */
export const eventJson = (names: ReadonlyArray<string>, subclasses: ReadonlyArray<string> = []): Command =>
  names.length > 0 &&
  names.every((name) => /^[A-Z_]+$/.test(name) && name !== "CUSTOM") &&
  subclasses.every((name) => /^\w+::\w+$/.test(name))
    ? // What follows CUSTOM is subclasses, to the end of the line.
      line(
        ["event json", ...names, ...(subclasses.length === 0 ? [] : ["CUSTOM", ...subclasses])].join(" "),
        "the event names"
      )
    : Result.fail("an event name that is none")

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** `api status` of `api status …`: what an error may say of a command. Arguments can be numbers of persons. */
export const titleOf = (verb: string, command: string): string =>
  `${verb} ${/^[\w-]{1,40}/.exec(command.trim())?.[0] ?? "?"}`

const named = (verb: string, command: string): Command =>
  command.trim() === "" ? Result.fail("an empty command") : line(`${verb} ${command}`, "the command")

/** Line breaks of Unicode (U+2028, NEL) are bytes like others to the switch; CR, LF and NUL are not. */
const line = (text: string, what: string): Command => {
  // oxlint-disable-next-line no-control-regex
  if (/[\r\n\0]/.test(text)) return Result.fail(`${what} holds a line break or a NUL`)
  if (Buffer.byteLength(text) > maxCommandBytes) return Result.fail(`${what} is longer than ${maxCommandBytes} bytes`)
  return Result.succeed(`${text}\n\n`)
}
