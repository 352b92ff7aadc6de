/**
 * Asks the other side now and then whether it is there: a socket may be dead for many minutes, after a laptop's sleep,
 * before a browser says so. Source: RFC 7118 §6, RFC 5626 §3.5.1 (two line ends are answered by one).
 */

/** Unit: milliseconds. Reason: proxies close what is quiet for a minute. */
export const askEvery = 25_000

/** How long the answer may take. Unit: milliseconds. Source: RFC 5626 §3.5.1. */
export const answerWithin = 10_000

/** What of a WebSocket is needed. */
export interface Socket {
  readonly send: (text: string) => void
  readonly addEventListener: (type: "message" | "close", listener: () => void) => void
}

/** Calls `dead` once when nothing is heard; ends with the socket, or by the answered function. */
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
  // Whatever it says, it is there.
  socket.addEventListener("message", heard)
  socket.addEventListener("close", end)
  return end
}
