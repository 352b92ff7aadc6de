/** One connection to the audio socket of the server. */

export interface ServerLink {
  /** Sends a frame; drops it while the connection is not open or the line is too slow. */
  readonly push: (frame: Int16Array<ArrayBuffer>) => void
  readonly close: () => void
}

export interface LinkEvents {
  readonly opened: () => void
  readonly wake: (score: number, word: string) => void
  /** The connection could not be opened, or has ended. Called once. Not called after `close`. */
  readonly closed: () => void
}

/** Maximum amount of unsent sound. Unit: bytes; 2 s. Reason: older sound is of no use, and nothing grows. */
const mostUnsent = 64_000

/** `url`: from the status; its ticket opens one connection. */
export const openLink = (url: string, { closed, opened, wake }: LinkEvents): ServerLink => {
  const socket = new WebSocket(url)
  socket.onopen = opened
  socket.onclose = closed
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as {
      readonly event: string
      readonly score: number
      readonly word: string
    }
    if (message.event === "wake") wake(message.score, message.word)
  }
  return {
    push: (frame) => {
      if (socket.readyState === WebSocket.OPEN && socket.bufferedAmount < mostUnsent) socket.send(frame)
    },
    close: () => {
      socket.onclose = null
      socket.onmessage = null
      socket.onopen = null
      socket.close(1000)
    }
  }
}
