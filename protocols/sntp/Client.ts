/** Asks an NTP server for the time, once, from a port of its own. Sets no clock. Source: RFC 4330. */
import { randomBytes } from "node:crypto"
import { createSocket } from "node:dgram"
import { lookup } from "node:dns"
import { Duration, Effect, Result, Schema } from "effect"
import { compare, decodeAnswer, encodeRequest } from "./Packet.ts"

/** Limit for name resolution and answer. Reason: a slower answer is too inexact. */
export const defaultTimeout = Duration.seconds(5)

/** No time was told. `message` contains nothing that the server sent. */
export class SntpError extends Schema.TaggedError<SntpError>()("SntpError", { why: Schema.String }) {
  override get message() {
    return `time server: ${this.why}`
  }
}

export interface Offset {
  /** Offset of the server's clock from ours; positive: ours is behind. Unit: milliseconds. */
  readonly offset: number
  /** Time on the way. Unit: milliseconds. */
  readonly roundTrip: number
}

/** Offset of the clock of `host` from ours. */
export const ask = (host: string, port: number, timeout = defaultTimeout): Effect.Effect<Offset, SntpError> =>
  Effect.callback<Offset, SntpError>((resume) => {
    let isOver = false
    let close = () => {}
    const end = (result: Effect.Effect<Offset, SntpError>) => {
      close()
      resume(result)
    }
    const fail = (why: string) => end(Effect.fail(new SntpError({ why })))
    lookup(host, (problem, address, family) => {
      if (isOver) return
      if (problem !== null) return fail(problem.code ?? "name does not resolve")
      const socket = createSocket(family === 6 ? "udp6" : "udp4")
      close = () => {
        close = () => {}
        socket.close()
      }
      const nonce = randomBytes(8)
      let asked = 0
      let begin = 0
      socket.once("error", (error: NodeJS.ErrnoException) => fail(error.code ?? "unknown"))
      // Connected, so that packets of other addresses are dropped, and a closed port is an error.
      socket.connect(port, address, () => {
        asked = Date.now()
        begin = performance.now()
        socket.send(encodeRequest(nonce))
      })
      socket.on("message", (packet) => {
        const answered = asked + (performance.now() - begin)
        const times = decodeAnswer(packet, nonce)
        if (Result.isFailure(times)) fail(times.failure)
        else end(Effect.succeed(compare(asked, answered, times.success)))
      })
    })
    return Effect.sync(() => {
      isOver = true
      close()
    })
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => Effect.fail(new SntpError({ why: `no answer within ${Duration.toMillis(timeout)} ms` }))
    })
  )
