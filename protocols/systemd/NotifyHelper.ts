/**
 * The transport: `systemd-notify`, one short process a message (about 10 ms; the watchdog needs one in ten seconds).
 * Node opens no unix datagram socket (node:dgram is UDP only, node:net is streams), so the message comes from a
 * child and the unit needs NotifyAccess=all. systemd-notify (246 and newer) exits only after systemd has taken the
 * message (a barrier), so its sender is still alive when systemd asks which unit it belongs to.
 */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { formatSocket, type NotifySocket } from "./Environment.ts"
import { encode, type State } from "./State.ts"
import { HelperFailed, HelperMissing, HelperTimedOut, SystemdError } from "./SystemdError.ts"

export interface HelperOptions {
  /** Program to run, found on `path`. */
  readonly program?: string
  /** Search path for the program. */
  readonly path?: string
  /** Unit: milliseconds. */
  readonly timeoutMillis?: number
}

/**
 * Longest run of the helper. Unit: milliseconds. Reason: its own wait for systemd's receipt ends at 5 s, so this
 * only ends a helper that hangs.
 */
export const helperTimeoutMillis = 6_000

/** Longest standard error kept for the error's detail. Unit: bytes. */
const maxOutputBytes = 4_096

/** Sends the states as one message; ends when systemd has taken it. An interrupted call kills the helper. */
export const send = (
  socket: NotifySocket,
  states: ReadonlyArray<State>,
  options: HelperOptions = {}
): Effect.Effect<void, SystemdError> =>
  Effect.callback<void, SystemdError>((resume) => {
    const timeout = options.timeoutMillis ?? helperTimeoutMillis
    const child = execFile(
      options.program ?? "systemd-notify",
      states.map(encode),
      {
        // Only what it needs: the service's own environment holds secrets.
        env: { PATH: options.path ?? "/usr/bin:/bin", NOTIFY_SOCKET: formatSocket(socket) },
        cwd: "/",
        timeout,
        killSignal: "SIGKILL",
        maxBuffer: maxOutputBytes
      },
      (error, _stdout, stderr) => {
        if (error === null) return resume(Effect.void)
        resume(Effect.fail(new SystemdError({ reason: reasonOf(error, stderr, timeout) })))
      }
    )
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

const reasonOf = (
  error: Error & { code?: string | number | null; killed?: boolean },
  stderr: string,
  timeout: number
) => {
  if (error.code === "ENOENT") return new HelperMissing({ detail: error.message })
  if (error.killed === true) return new HelperTimedOut({ milliseconds: timeout })
  return new HelperFailed({ detail: stderr.trim() === "" ? error.message : stderr.trim() })
}
