// A DNS server over UDP and TCP that gives any answer a test wants: poisoned, slow, truncated, with a wrong id, for a
// different question, or none.

import packet, { type Answer, type DecodedPacket, type Packet, type RecordType } from "dns-packet"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"

export interface Asked {
  readonly name: string
  readonly type: string
  readonly over: "udp" | "tcp"
  readonly edns: boolean
  readonly query: DecodedPacket
  /** Address of the client. */
  readonly from: string
  readonly port: number
  /** Number of queries for this question so far, this one included. */
  readonly time: number
}

/** Answer to send. Missing fields get the values of an honest authoritative server. */
export interface Sent {
  readonly rcode?: number
  /** Value of the AA flag (authoritative answer). Default: true. */
  readonly authoritative?: boolean
  readonly truncated?: boolean
  readonly authenticData?: boolean
  readonly id?: number
  readonly question?: { readonly name: string; readonly type: string } | "none"
  readonly answers?: ReadonlyArray<Answer>
  readonly authorities?: ReadonlyArray<Answer>
  readonly additionals?: ReadonlyArray<Answer>
  /** Delay before sending. Unit: milliseconds. */
  readonly after?: number
  /** Sent instead of all other fields. */
  readonly raw?: Buffer
  /** Sends from a new port instead of the queried one. */
  readonly fromElsewhere?: boolean
}

export interface HostileServer {
  readonly address: string
  readonly port: number
  readonly asked: ReadonlyArray<Asked>
}

/** `answer` returns the messages for each query, in sending order. The end of the scope stops the server. */
export const make = (
  address: string,
  port: number,
  answer: (asked: Asked) => ReadonlyArray<Sent>,
  options: { readonly tcp?: boolean } = {}
): Effect.Effect<HostileServer, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => start(address, port, answer, options.tcp ?? true)),
      (server) => Effect.promise(server.stop)
    ),
    (server) => server
  )

export const a = (name: string, data: string, ttl = 300): Answer => ({ type: "A", name, data, ttl })
export const ns = (name: string, data: string, ttl = 300): Answer => ({ type: "NS", name, data, ttl })
export const cname = (name: string, data: string, ttl = 300): Answer => ({ type: "CNAME", name, data, ttl })
export const soa = (name: string): Answer => ({
  type: "SOA",
  name,
  ttl: 300,
  data: { mname: `ns.${name}`, rname: `root.${name}`, serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 }
})

const start = async (
  address: string,
  port: number,
  answer: (asked: Asked) => ReadonlyArray<Sent>,
  withTcp: boolean
) => {
  const udp = createSocket(address.includes(":") ? "udp6" : "udp4")
  const elsewhere = createSocket(address.includes(":") ? "udp6" : "udp4")
  udp.bind(port, address)
  elsewhere.bind(0, address)
  await Promise.all([once(udp, "listening"), once(elsewhere, "listening")])
  const bound = (udp.address() as AddressInfo).port
  const asked: Array<Asked> = []
  const times = new Map<string, number>()
  const timers = new Set<NodeJS.Timeout>()
  let stopped = false

  const handle = (
    message: Buffer,
    over: "udp" | "tcp",
    from: string,
    port: number,
    send: (bytes: Buffer, elsewhere: boolean) => void
  ) => {
    const query = packet.decode(message)
    const question = query.questions?.[0]
    if (question === undefined) return
    const key = `${over} ${question.type} ${question.name}`
    const time = (times.get(key) ?? 0) + 1
    times.set(key, time)
    const seen: Asked = {
      name: question.name,
      type: question.type,
      over,
      edns: (query.additionals ?? []).some(({ type }) => type === "OPT"),
      query,
      from,
      port,
      time
    }
    asked.push(seen)
    for (const sent of answer(seen)) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        if (!stopped) send(encode(query, sent), sent.fromElsewhere === true)
      }, sent.after ?? 0)
      timers.add(timer)
    }
  }

  udp.on("message", (message, from) =>
    handle(message, "udp", from.address, from.port, (bytes, other) =>
      (other ? elsewhere : udp).send(bytes, from.port, from.address)
    )
  )
  const tcp = createServer((socket) => {
    let read = Buffer.alloc(0)
    socket.on("error", () => {})
    socket.on("data", (chunk) => {
      read = Buffer.concat([read, chunk])
      if (read.length < 2 || read.length < read.readUInt16BE(0) + 2) return
      handle(read.subarray(2), "tcp", socket.remoteAddress ?? "", socket.remotePort ?? 0, (bytes) => {
        const framed = Buffer.alloc(2)
        framed.writeUInt16BE(bytes.length)
        socket.write(Buffer.concat([framed, bytes]))
      })
    })
  })
  if (withTcp) {
    tcp.listen(bound, address)
    await once(tcp, "listening")
  }
  return {
    address,
    port: bound,
    asked,
    stop: async () => {
      stopped = true
      for (const timer of timers) clearTimeout(timer)
      udp.close()
      elsewhere.close()
      if (withTcp) await new Promise((resolve) => tcp.close(resolve))
    }
  }
}

const encode = (query: DecodedPacket, sent: Sent): Buffer => {
  if (sent.raw !== undefined) return sent.raw
  const questions =
    sent.question === "none"
      ? []
      : sent.question === undefined
        ? (query.questions ?? [])
        : [{ name: sent.question.name, type: sent.question.type as RecordType }]
  const flags =
    (sent.rcode ?? 0) |
    ((sent.authoritative ?? true) ? packet.AUTHORITATIVE_ANSWER : 0) |
    (sent.truncated === true ? packet.TRUNCATED_RESPONSE : 0) |
    (sent.authenticData === true ? packet.AUTHENTIC_DATA : 0)
  const message: Packet = {
    type: "response",
    id: sent.id ?? query.id ?? 0,
    flags,
    questions,
    answers: [...(sent.answers ?? [])],
    authorities: [...(sent.authorities ?? [])],
    additionals: [...(sent.additionals ?? [])]
  }
  return packet.encode(message)
}
