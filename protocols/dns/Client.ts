/**
 * Asks DNS servers by address: over UDP, by TCP what does not fit. What comes back is believed when it comes from the
 * address and port that were asked, to the socket that asked, with the id and the question (RFC 5452 §9); whatever else
 * arrives is left unread. Follows no referral and no CNAME, keeps no answer: what an answer means is whoever asks to
 * decide.
 */
import type { RemoteInfo } from "node:dgram"
import { Effect, type Scope } from "effect"
import { type Gate, type GateLimits, Gates } from "./Gates.ts"
import { type Asking, encodeQuery, rcodes, readReply, type Reply } from "./Message.ts"
import { dnsPort, type ServerAddress } from "./ServerAddress.ts"
import { tcpExchange } from "./TcpExchange.ts"
import { type Placed, type UdpSlot, UdpSockets } from "./UdpSockets.ts"
import { type Ticket, Wheel } from "./Wheel.ts"

/** `unreachable`: nothing could be sent, or TCP was refused. */
export type NoReply = "timeout" | "unreachable" | "malformed"

export interface Limits {
  /**
   * How long each try waits for its answer; the last one's end is the time-out. An answer to an earlier try is taken,
   * too. Unit: milliseconds.
   */
  readonly tries: ReadonlyArray<number>
  /** For the whole of an exchange over TCP. Unit: milliseconds. */
  readonly tcp: number
  /**
   * Unit: questions in flight at all servers together. Reason: also bounds TCP sockets and what is kept in memory for
   * each.
   */
  readonly inAll: number
  /** `key`: as keyOf makes it. */
  readonly ofServer: (key: string) => GateLimits
}

/** Reason: other people's servers; eight at a time is what a browser does, and fifty a second no server notices. */
export const strangerLimits: GateLimits = { inFlight: 8, rate: 50 }

/**
 * Reason of the tries: a slow answer takes 0.5 s; three, because UDP loses; 6 s in all. Of 256: descriptors, should all
 * go to TCP.
 */
export const defaultLimits: Limits = {
  tries: [1000, 2000, 3000],
  tcp: 4000,
  inAll: 256,
  ofServer: () => strangerLimits
}

export interface Query extends Asking {
  /** Its address as Node writes it: IPv6 in the spelling of RFC 5952. */
  readonly server: ServerAddress
  /** When the answer is of no use any more. Unit: milliseconds of performance.now(). */
  readonly until: number
  /** Asks also a server that has not answered others lately. */
  readonly patient?: boolean
}

/** A text for each server. */
export const keyOf = (server: ServerAddress): string =>
  server.port === dnsPort ? server.address : `${server.address} ${server.port}`

/** Closed with the scope; what is open then ends as `timeout`. */
export const make = (limits: Limits = defaultLimits): Effect.Effect<Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new Client(limits)),
    (client) => Effect.sync(() => client.close())
  )

interface Pending extends Placed<Pending> {
  readonly query: Query
  readonly done: (reply: Reply | NoReply) => void
  /** Undefined as long as there is no room for it. */
  gate: Gate | undefined
  message: Buffer
  edns: boolean
  sent: number
  late: Ticket<Pending> | undefined
}

export class Client {
  readonly #limits: Limits
  readonly #gates: Gates<Pending>
  readonly #sockets = new UdpSockets<Pending>((slot, message, from) => this.#receive(slot, message, from))
  readonly #wheel = new Wheel<Pending>((pending) => this.#send(pending, performance.now()))
  readonly #overTcp = new Set<Pending>()
  #closed = false

  constructor(limits: Limits) {
    this.#limits = limits
    this.#gates = new Gates(
      limits.inAll,
      limits.ofServer,
      (pending, gate, now) => this.#start(pending, gate, now),
      (pending) => pending.done("timeout")
    )
  }

  /** Never rejects. */
  ask(query: Query): Promise<Reply | NoReply> {
    return new Promise((resolve) => this.query(query, resolve))
  }

  /** The same without a promise, for very many. `done` must not throw, and may be called before this returns. */
  query(query: Query, done: (reply: Reply | NoReply) => void): void {
    if (this.#closed) done("timeout")
    else {
      const pending = {
        query,
        done,
        gate: undefined,
        slot: undefined,
        id: 0,
        message: unsent,
        edns: true,
        sent: 0,
        late: undefined
      }
      this.#gates.enter(keyOf(query.server), query.until, query.patient === true, pending)
    }
  }

  /**
   * Calls it, now or later, when a question to this server would be sent at once. A closed client or a silent server is
   * not waited for.
   */
  whenRoom(server: ServerAddress, begin: () => void): void {
    if (this.#closed) begin()
    else this.#gates.whenRoom(keyOf(server), begin)
  }

  close(): void {
    this.#closed = true
    this.#gates.close()
    for (const pending of [...this.#sockets.all(), ...this.#overTcp]) this.#end(pending, "timeout")
    this.#sockets.close()
    this.#wheel.close()
  }

  #start(pending: Pending, gate: Gate, now: number): void {
    pending.gate = gate
    this.#sockets.take(pending.query.server.address.includes(":") ? 6 : 4, now, pending)
    pending.message = encodeQuery(pending.id, pending.query, true)
    this.#send(pending, now)
  }

  /** Each try goes out with the same id from the same port, so that a late answer to an earlier one is taken. */
  #send(pending: Pending, now: number): void {
    const left = pending.query.until - now
    const wait = this.#limits.tries[pending.sent++]
    if (wait === undefined || left <= 0) return this.#end(pending, "timeout")
    pending.late = this.#wheel.set(now + Math.min(wait, left), pending)
    pending.slot!.socket.send(pending.message, pending.query.server.port, pending.query.server.address, (error) => {
      if (error !== null && !this.#closed) this.#end(pending, "unreachable")
    })
  }

  #receive(slot: UdpSlot<Pending>, message: Buffer, from: RemoteInfo): void {
    const pending = message.length < 2 ? undefined : slot.pending.get(message.readUInt16BE(0))
    if (
      pending === undefined ||
      from.address !== pending.query.server.address ||
      from.port !== pending.query.server.port
    )
      return
    const reply = readReply(message, pending.message, pending.query)
    if (reply === "foreign") return
    if (reply === "malformed") return this.#end(pending, reply)
    if (pending.edns && (reply.rcode === rcodes.formErr || reply.rcode === rcodes.notImp)) {
      callOff(pending)
      pending.edns = false
      pending.sent = 0
      pending.message = encodeQuery(pending.id, pending.query, false)
      return this.#send(pending, performance.now())
    }
    if (reply.truncated) return this.#overTcpInstead(pending)
    this.#end(pending, reply)
  }

  #overTcpInstead(pending: Pending): void {
    callOff(pending)
    this.#sockets.release(pending)
    this.#overTcp.add(pending)
    const left = Math.min(this.#limits.tcp, pending.query.until - performance.now())
    tcpExchange(pending.query.server, pending.message, left, (answer) => {
      if (!this.#overTcp.has(pending)) return
      const reply = typeof answer === "string" ? answer : readReply(answer, pending.message, pending.query)
      // Over TCP there is nobody else to wait for, and nothing longer to ask for.
      this.#end(pending, reply === "foreign" || (typeof reply === "object" && reply.truncated) ? "malformed" : reply)
    })
  }

  #end(pending: Pending, reply: Reply | NoReply): void {
    callOff(pending)
    if (!this.#sockets.release(pending) && !this.#overTcp.delete(pending)) return
    this.#gates.leave(pending.gate!, reply !== "timeout" && reply !== "unreachable")
    pending.done(reply)
  }
}

const unsent = Buffer.alloc(0)

const callOff = (pending: Pending): void => {
  if (pending.late !== undefined) pending.late.item = undefined
}
