/**
 * Parses the variables that systemd sets for service notification. Pure: reads no environment, opens no socket. Source:
 * sd_notify(3) "Environment", sd_watchdog_enabled(3).
 */
import { Duration, Option, Result } from "effect"
import { InvalidEnvironment, SystemdError } from "./SystemdError.ts"

/** systemd's notification socket: a socket file, or a name in the abstract namespace (`@name`). */
export type NotifySocket =
  | { readonly _tag: "Path"; readonly path: string }
  | { readonly _tag: "Abstract"; readonly name: string }

export interface NotifyEnvironment {
  readonly socket: NotifySocket
  /** Longest time between watchdog messages (WATCHDOG_USEC). None when systemd does not watch this process. */
  readonly watchdogTimeout: Option.Option<Duration.Duration>
}

/** Longest socket address. Unit: bytes. Source: unix(7), sun_path has 108 bytes including its final NUL. */
export const maxSocketPathBytes = 107

/**
 * Variables of the protocol. They are removed from the environment so that child processes cannot notify for the
 * service.
 */
export const notifyVariables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] as const

export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Parses the variables. None when no service manager listens (NOTIFY_SOCKET absent or empty). `pid` is this process:
 * WATCHDOG_PID names the process that the watchdog watches.
 */
export const parseEnvironment = (
  variables: Variables,
  pid: number
): Result.Result<Option.Option<NotifyEnvironment>, SystemdError> => {
  const address = variables["NOTIFY_SOCKET"] ?? ""
  if (address === "") return Result.succeed(Option.none())
  const socket = parseSocket(address)
  if (Result.isFailure(socket)) return Result.fail(socket.failure)
  const watchdogTimeout = parseWatchdog(variables, pid)
  if (Result.isFailure(watchdogTimeout)) return Result.fail(watchdogTimeout.failure)
  return Result.succeed(Option.some({ socket: socket.success, watchdogTimeout: watchdogTimeout.success }))
}

/**
 * Parses a socket address. A path must be absolute. `@` alone, other address families and too long addresses are
 * refused.
 */
export const parseSocket = (address: string): Result.Result<NotifySocket, SystemdError> => {
  if (Buffer.byteLength(address) > maxSocketPathBytes) return invalid("NOTIFY_SOCKET", "longer than a socket address")
  if (address.startsWith("/")) return Result.succeed({ _tag: "Path", path: address })
  if (address.startsWith("@") && address.length > 1) return Result.succeed({ _tag: "Abstract", name: address.slice(1) })
  return invalid("NOTIFY_SOCKET", "neither an absolute path nor an abstract name")
}

/** The address in the form of NOTIFY_SOCKET. */
export const formatSocket = (socket: NotifySocket): string => (socket._tag === "Path" ? socket.path : `@${socket.name}`)

const parseWatchdog = (
  variables: Variables,
  pid: number
): Result.Result<Option.Option<Duration.Duration>, SystemdError> => {
  const text = variables["WATCHDOG_USEC"] ?? ""
  if (text === "") return Result.succeed(Option.none())
  const microseconds = positiveInteger(text)
  if (microseconds === undefined) return invalid("WATCHDOG_USEC", "not a positive number of microseconds")
  const forPid = variables["WATCHDOG_PID"] ?? ""
  if (forPid !== "") {
    const expected = positiveInteger(forPid)
    if (expected === undefined) return invalid("WATCHDOG_PID", "not a process id")
    if (expected !== pid) return Result.succeed(Option.none())
  }
  return Result.succeed(Option.some(Duration.micros(BigInt(microseconds))))
}

const positiveInteger = (text: string): number | undefined => {
  const value = /^[0-9]+$/.test(text) ? Number(text) : 0
  return Number.isSafeInteger(value) && value > 0 ? value : undefined
}

const invalid = (variable: string, detail: string): Result.Result<never, SystemdError> =>
  Result.fail(new SystemdError({ reason: new InvalidEnvironment({ variable, detail }) }))
