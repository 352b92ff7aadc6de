/** Checks whether a TCP connection can be established. Sends and reads nothing. */
import { Duration, Effect } from "effect"
import { connect } from "node:net"
import { codeOf, finding, outcomeOf } from "./Finding.ts"
import type { ProbeResult } from "./ProbeResult.ts"

export const probe = (
  { host, port }: { readonly host: string; readonly port: number },
  timeout: Duration.Duration
): Effect.Effect<ProbeResult> =>
  Effect.callback<ProbeResult>((resume) => {
    const socket = connect({ host, port })
    socket.once("connect", () => {
      resume(Effect.succeed(finding("tcp", "up", "connected")))
      socket.destroy()
    })
    socket.on("error", (error) =>
      resume(Effect.succeed(finding("tcp", outcomeOf(codeOf(error)), `no connection: ${codeOf(error)}`)))
    )
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.succeed(finding("tcp", "down", `no connection within ${Duration.toMillis(timeout)} ms`))
    })
  )
