/**
 * All DNS servers of the measurement, in a separate process: a resolver at 127.0.0.1 and the two name servers of every
 * domain at 127.0.0.2 and 127.0.0.3, on one port. It uses no codec, so that it is faster than its clients. Domains
 * whose names begin with `u` point elsewhere, all others to the platform.
 */
import { createSocket } from "node:dgram"
import { addresses, nameServers, port as wanted, resolver } from "./Place.ts"

/** Size of the socket buffers. Unit: bytes. */
const buffer = 4 * 1024 * 1024

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, "latin1")])),
    Buffer.from([0])
  ])
/** A record for the queried name (RFC 1035 §4.1.4: a pointer to the question). TTL: five minutes. */
const record = (type: number, data: Buffer) =>
  Buffer.concat([Buffer.from([0xc0, 0x0c]), u16(type), u16(1), Buffer.from([0, 0, 1, 44]), u16(data.length), data])
const a = (address: string) => record(1, Buffer.from(address.split(".").map(Number)))
const aaaa = record(28, Buffer.from("20010db8000000000000000000000010", "hex"))

const here = a(addresses.ipv4)
const elsewhere = a("203.0.113.9")
const servers = nameServers.map(({ address }) => a(address))
const both = Buffer.concat(nameServers.map(({ name }) => record(2, nameBytes(name))))
const none = Buffer.alloc(0)

let asked = 0

const answer = (query: Buffer): Buffer => {
  asked++
  let at = 12
  let labels = 0
  let first = 12
  for (let length = query[at]!; length !== 0; length = query[at]!) {
    // Finds the first label of the domain, which in `www.d1.test` is the second label.
    if (!(labels === 0 && length === 3 && query[at + 1] === 0x77))
      first = first === 12 && labels > 0 && query[13] === 0x77 ? at : first
    labels++
    at += length + 1
  }
  const type = query.readUInt16BE(at + 1)
  const end = at + 5
  const own = query[13] === 0x6e && labels === 3
  const [count, body] =
    type === 1
      ? [1, own ? servers[query[15] === 0x32 ? 1 : 0]! : query[first + 1] === 0x75 ? elsewhere : here]
      : type === 28 && !own
        ? [1, aaaa]
        : type === 2 && labels <= 2
          ? [2, both]
          : [0, none]
  const reply = Buffer.allocUnsafe(end + body.length)
  query.copy(reply, 0, 0, end)
  body.copy(reply, end)
  // An authoritative answer. It offers recursion when the query asked for it.
  reply[2] = 0x84 | (query[2]! & 1)
  reply[3] = (query[2]! & 1) === 1 ? 0x80 : 0
  reply.writeUInt16BE(count, 6)
  reply.fill(0, 8, 12)
  return reply
}

for (const address of [resolver, ...nameServers.map((server) => server.address)]) {
  const socket = createSocket({ type: "udp4", recvBufferSize: buffer, sendBufferSize: buffer })
  socket.on("message", (message, from) => socket.send(answer(message), from.port, from.address))
  await new Promise<void>((resolve) => socket.bind(wanted, address, resolve))
}
process.on("message", () => process.send!({ asked }))
process.send!({ ready: true })
