/**
 * Pings the peer of a WebSocket. After a laptop's sleep a socket can be dead for many minutes before the browser
 * reports it. Source: RFC 7118 §6, RFC 5626 §3.5.1 (a double CRLF is answered with a single one).
 */

/** Interval of pings. Unit: milliseconds. Reason: proxies close connections that are idle for a minute. */
export const askEvery = 25_000

/** Limit for the answer. Unit: milliseconds. Source: RFC 5626 §3.5.1. */
export const answerWithin = 10_000

/** The parts of a WebSocket that are used here. */
export interface Socket {
  readonly send: (text: string) => void
  readonly addEventListener: (type: "message" | "close", listener: () => void) => void
}

/** Calls `dead` once when no answer arrives. Ends with the socket, or when the returned function is called. */
export const pulse = (socket: Socket, dead: () => void): (() => void) => {
  let deadline: ReturnType<typeof setTimeout> | undefined
  const timer = setInterval(() => {
    socket.send("\r\n\r\n")
    deadline ??= setTimeout(() => {
      end()
      dead()
    }, answerWithin)
  }, askEvery)
  const heard = () => {
    clearTimeout(deadline)
    deadline = undefined
  }
  const end = () => {
    clearInterval(timer)
    heard()
  }
  // Any message proves that the peer is alive.
  socket.addEventListener("message", heard)
  socket.addEventListener("close", end)
  return end
}
