/**
 * Misbehaving clients in a separate process: they stay silent, send their handshake byte by byte, use no ticket or a
 * used one, never read, send single bytes slowly, or send without end. Each message of the parent process opens more of
 * them. All stay until the server closes them.
 */
import { connect, type Socket } from "node:net"
import type { Attack, Kind, Outcomes } from "./AttackKinds.ts"

/**
 * Maximum wait for the server's answer to a client; without an answer the client counts as `unanswered`. Unit:
 * milliseconds.
 */
const patience = 5_000

/** Interval at which slow clients send one byte. Unit: milliseconds. */
const drip = 500

/** Size of each frame of a `flood` client. Unit: bytes. */
const floodFrame = 60_000

const frameOf = (size: number): Buffer =>
  Buffer.concat([
    size < 126 ? Buffer.from([0x82, 0x80 | size]) : Buffer.from([0x82, 0xfe, size >> 8, size & 255]),
    Buffer.alloc(4 + size, size < 126 ? 0 : 7).fill(0, 0, 4)
  ])

const flood = frameOf(floodFrame)
const oneByte = frameOf(1)

const handshake = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: attack\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

const outcomes = new Map<string, number>()
const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)

/**
 * Opens one client and counts its first outcome. Resolves then: when the server has answered or closed the connection,
 * or after `patience`.
 */
const begin = (port: number, { address, kind, path }: Attack["clients"][number]): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress: address, noDelay: true })
    let told = false
    const tell = (outcome: string): void => {
      if (!told) count(outcome)
      told = true
      resolve()
    }
    const wait = setTimeout(() => tell("unanswered"), patience)
    const timers: Array<NodeJS.Timeout> = []
    socket.on("error", () => undefined)
    socket.on("close", () => {
      clearTimeout(wait)
      for (const timer of timers) clearInterval(timer)
      tell("dropped")
    })
    socket.once("data", (bytes) => {
      const status = bytes.toString("latin1").slice(9, 12)
      tell(status === "101" ? "open" : status)
      if (status === "101") misbehave(socket, kind, bytes, timers)
    })
    if (kind === "silent") return
    if (kind !== "slow handshake") return void socket.write(handshake(path))
    const text = handshake(path)
    let at = 0
    timers.push(setInterval(() => socket.write(text.charAt(at++ % text.length)), drip))
  })

const misbehave = (socket: Socket, kind: Kind, first: Buffer, timers: Array<NodeJS.Timeout>): void => {
  const close = (bytes: Buffer) => {
    const at = bytes.indexOf(0x88)
    if (at >= 0 && bytes.length >= at + 4) count(`closed ${bytes.readUInt16BE(at + 2)}`)
  }
  close(first.subarray(first.indexOf("\r\n\r\n") + 4))
  socket.on("data", close)
  if (kind === "deaf") socket.pause()
  if (kind === "slow") timers.push(setInterval(() => socket.write(oneByte), drip))
  if (kind !== "flood") return
  const pour = () => {
    while (!socket.destroyed && socket.writable && socket.write(flood));
  }
  socket.on("drain", pour)
  pour()
}

process.on("message", ({ clients, port }: Attack) => {
  void Promise.all(clients.map((client) => begin(port, client))).then(() =>
    process.send!(Object.fromEntries(outcomes) satisfies Outcomes)
  )
})
process.on("disconnect", () => process.exit(0))
