/**
 * Baseline: a loop over a bare dgram socket with dns-packet. It sends the same queries to the same servers with a fixed
 * number in flight, and parses the answers.
 */
import { createSocket } from "node:dgram"
import packet from "dns-packet"
import { port, questionsOf } from "./Place.ts"

/** Queries in flight over all three servers. Reason: more at one server leads to packet loss. */
const inFlight = 128

const socket = createSocket({ type: "udp4", recvBufferSize: 4 * 1024 * 1024 })
const waiting = new Set<number>()
let next = 0
let domain = 0
let count = 0
let left: ReturnType<typeof questionsOf> = []
let at = 0
let domains = 0
let until = 0
let begun = 0
let cpu = process.cpuUsage()

const ask = () => {
  if (at === left.length) {
    domain = (domain + 1) % domains
    left = questionsOf(`d${domain}.test`)
    at = 0
    count++
  }
  const { address, name, recursive, type } = left[at++]!
  next = (next + 1) & 0xffff
  waiting.add(next)
  socket.send(
    packet.encode({
      type: "query",
      id: next,
      flags: recursive ? packet.RECURSION_DESIRED : 0,
      questions: [{ type, name }]
    }),
    port,
    address
  )
}

socket.on("message", (message) => {
  const reply = packet.decode(message)
  if (!waiting.delete(reply.id ?? -1) || reply.answers === undefined) return
  if (performance.now() < until) return ask()
  if (waiting.size === 0) end()
})

const end = () => {
  if (begun === 0) return
  const { system, user } = process.cpuUsage(cpu)
  process.send!({ perSecond: count / ((performance.now() - begun) / 1000), processor: (user + system) / count })
  begun = 0
}

process.on("message", (order: { readonly domains: number; readonly ms: number }) => {
  domains = order.domains
  count = 0
  waiting.clear()
  begun = performance.now()
  until = begun + order.ms
  cpu = process.cpuUsage()
  for (let one = 0; one < inFlight; one++) ask()
  // Ends the measurement even when answers were lost.
  setTimeout(end, order.ms + 500)
})
socket.bind(0, () => process.send!({ ready: true }))
