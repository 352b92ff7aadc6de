import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { WebSocket, WebSocketServer } from "ws"
import { bounds } from "#daemons/wake-word/listening/socket/Bounds.ts"
import { Connection } from "#daemons/wake-word/listening/socket/Connection.ts"
import { stepBytes } from "#daemons/wake-word/listening/threads/AudioRing.ts"

const limits = { ...bounds, maxConnections: 10, maxPerTenant: 10 }

let server: WebSocketServer
beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" })
  await once(server, "listening")
})
afterAll(() => void server.close())

/** A connection and its client. */
const pair = async () => {
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [[socket]] = await Promise.all([once(server, "connection") as Promise<[WebSocket]>, once(client, "open")])
  const bytes: Array<number> = []
  const now = Date.now()
  const thread = { computed: 0, hasRoom: true }
  const connection = new Connection(
    socket,
    1,
    { tenantId: 1, userId: null },
    "model",
    limits,
    {
      audio: (part) => {
        bytes.push(part.length)
        return thread.hasRoom
      },
      computed: () => thread.computed,
      ended: () => undefined
    },
    now
  )
  const took = async (count: number) => {
    while (bytes.reduce((sum, length) => sum + length, 0) < count)
      await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { client, connection, now, thread, took }
}

const closeOf = async (client: WebSocket) => {
  const [code] = (await once(client, "close")) as [number]
  return code
}

describe("a connection", () => {
  it("sends a ping each 15 s while audio comes", async () => {
    const { client, connection, now } = await pair()
    connection.look(now + limits.ping - 1)
    connection.look(now + limits.ping)
    const [data] = (await once(client, "message")) as [Buffer]
    expect(String(data)).toBe('{"event":"ping"}')
    client.terminate()
  })

  it("is closed without audio for 30 s", async () => {
    const { client, connection, now } = await pair()
    connection.look(now + limits.idle)
    expect(connection.closed).toBe(false)
    connection.look(now + limits.idle + 1)
    expect(await closeOf(client)).toBe(4408)
  })

  it("is told when its audio is not served within 4 s, or 15 s at first", async () => {
    const { client, connection, thread, took } = await pair()
    const sent = Date.now()
    client.send(Buffer.alloc(stepBytes * 2))
    await took(stepBytes * 2)
    expect(connection.waiting).toBe(2)
    connection.look(sent + limits.firstPatience)
    expect(connection.closed).toBe(false)
    thread.computed = 1
    expect(connection.waiting).toBe(1)
    const served = Date.now() + limits.firstPatience
    connection.look(served)
    connection.look(served + limits.patience)
    expect(connection.closed).toBe(false)
    connection.look(served + limits.patience + 1)
    expect(await closeOf(client)).toBe(1013)
  })

  it("takes no audio that comes after its end", async () => {
    const { client, connection } = await pair()
    client.send("text")
    client.send(Buffer.alloc(stepBytes))
    expect(await closeOf(client)).toBe(1003)
    expect([connection.closed, connection.waiting]).toEqual([true, 0])
  })

  it("is not read while its thread has no room, so nothing grows", async () => {
    const { client, connection, thread, took } = await pair()
    thread.hasRoom = false
    for (let part = 0; part < 4; part++) client.send(Buffer.alloc(64_000))
    await took(64_000)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(connection.waiting).toBeLessThan(75)
    thread.hasRoom = true
    connection.readOn()
    await took(256_000)
    client.terminate()
  })
})
