/**
 * Proxy between clients with SIP over WebSocket and the switch with plain WebSocket. It enforces what the switch does
 * not check: sub-protocol, path, origin and version. It also handles what the switch mishandles: two messages in one
 * frame, fragmented messages, and keep-alives. The connection to the switch opens before the client is accepted, so the
 * client gets a 503 while the switch is away.
 *
 * The library http-proxy 1.18.1 (1,000 lines) forwards the bytes of an upgraded connection unread, so it can neither
 * check nor rewrite messages. This folder has 770 lines.
 */
import type { IncomingMessage } from "node:http"
import { WebSocket, WebSocketServer } from "ws"
import * as RateLimit from "#core/limits/RateLimit.ts"
import { TokenBucket } from "#core/limits/TokenBucket.ts"
import type { Component } from "#core/daemon/Health.ts"
import { clientKey } from "#core/http/ClientKey.ts"
import { type UpgradeListener } from "#core/http/Listener.ts"
import { clientAddress } from "#core/http/ClientAddress.ts"
import { lingerTime, rawProblem } from "#core/http/NodeProblem.ts"
import { maxMessage } from "#protocols/sip/Message.ts"
import type { Offence } from "./AbuseReport.ts"
import type { Bounds } from "./Bounds.ts"
import { mayConnect, refuse } from "./Handshake.ts"
import { Link } from "./Link.ts"
import { clientSide } from "./Rewrite.ts"

export interface SipProxyOptions {
  /** WebSocket address of the switch; undefined: not configured. */
  readonly switchUrl: string | undefined
  /** Hosts whose pages may connect; empty: only pages of the requested host. */
  readonly origins: ReadonlyArray<string>
  readonly bounds: Bounds
  readonly offend: (offence: Offence, address: string) => void
  /** Writes a log line; the text never contains data from clients. */
  readonly note: (text: string) => void
}

export interface SipProxy {
  readonly upgrade: UpgradeListener
  /** Checks all connections; call about once a second. */
  readonly look: (now: number) => void
  /** Closes all connections. */
  readonly close: () => void
  readonly component: () => Component
}

export const make = ({ bounds, note, offend, origins, switchUrl }: SipProxyOptions): SipProxy => {
  // The library joins fragments and checks UTF-8; `maxPayload` limits each joined message.
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessage,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: () => "sip"
  })
  server.on("wsClientError", (_, socket) => socket.end(rawProblem(400)))
  const links = new Set<Link>()
  /** Number of open and opening connections by address. */
  const places = new Map<string, number>()
  const rates = RateLimit.make({ burst: bounds.addressBurst, perSecond: bounds.addressRate })
  const passed = { switch: 0, client: 0 }
  const counts = { refused: 0, malformed: 0, over_rate: 0, login_refused: 0, unreadable: 0 }
  let taken = 0
  let away = false
  let stopped = false

  const takePlace = (key: string): (() => void) => {
    taken += 1
    places.set(key, (places.get(key) ?? 0) + 1)
    return () => {
      taken -= 1
      const left = places.get(key)! - 1
      if (left === 0) places.delete(key)
      else places.set(key, left)
    }
  }

  const accept = (client: WebSocket, upstream: WebSocket, request: IncomingMessage): void => {
    const address = clientAddress(request)
    const own = new TokenBucket({ burst: bounds.connectionBurst, perSecond: bounds.connectionRate }, Date.now())
    const link: Link = new Link(
      client,
      upstream,
      sideOf(request, address),
      bounds,
      {
        take: () => own.tryTake(Date.now()) === 0 && rates.take(address, Date.now()) === 0,
        misused: (what) => {
          counts[what] += 1
          offend("sip-websocket-abuse", address)
        },
        loginRefused: () => {
          counts.login_refused += 1
          offend("sip-brute-force", address)
        },
        passed: (to) => (passed[to] += 1),
        unreadable: (why) => {
          counts.unreadable += 1
          note(`the switch sent an invalid SIP message: ${why}`)
        },
        ended: () => links.delete(link)
      },
      Date.now()
    )
    links.add(link)
    if (stopped) link.close("goingAway")
  }

  const upgrade: UpgradeListener = (request, socket, head) => {
    const turnAway = (...problem: Parameters<typeof rawProblem>): void => {
      counts.refused += 1
      socket.end(rawProblem(...problem))
      // A client that never closes its side would occupy a connection slot.
      setTimeout(() => socket.destroy(), lingerTime).unref()
    }
    const facts = factsOf(request)
    const refused = refuse(facts, origins)
    const address = clientAddress(request)
    if (refused !== undefined) {
      // The page of another site opens connections without the knowledge of its visitor, who must not be banned.
      if (mayConnect(facts.origin, facts.host, origins)) offend("sip-websocket-abuse", address)
      return turnAway(refused.refusal, refused.detail, refused.headers)
    }
    if (switchUrl === undefined) return turnAway(503, "SIP over WebSocket is not configured.")
    const key = clientKey(address)
    if (stopped || taken >= bounds.maxConnections) return turnAway(503, "Too many connections.")
    if ((places.get(key) ?? 0) >= bounds.maxPerAddress) {
      offend("sip-websocket-abuse", address)
      return turnAway(429, "Too many connections from this address.")
    }
    const leave = takePlace(key)
    const upstream = new WebSocket(switchUrl, "sip", {
      perMessageDeflate: false,
      maxPayload: maxMessage,
      handshakeTimeout: bounds.switchTimeout,
      skipUTF8Validation: true
    })
    let linked = false
    socket.once("close", () => {
      leave()
      // Once linked, the link closes the connection to the switch.
      if (!linked) upstream.terminate()
    })
    upstream.on("error", () => {
      if (linked || socket.destroyed) return
      if (!away) note("the switch refuses SIP over WebSocket")
      away = true
      turnAway(503, "The switch is unavailable.", { "retry-after": "5" })
    })
    upstream.once("open", () => {
      away = false
      if (socket.destroyed) return upstream.terminate()
      server.handleUpgrade(request, socket, head, (client) => {
        linked = true
        accept(client, upstream, request)
      })
    })
  }

  return {
    upgrade,
    look: (now) => {
      for (const link of links) link.look(now)
    },
    close: () => {
      stopped = true
      for (const link of links) link.close("goingAway")
    },
    component: () => ({
      status: switchUrl === undefined ? "unconfigured" : away ? "degraded" : "ok",
      connections: links.size,
      addresses: places.size,
      to_switch: passed.switch,
      to_clients: passed.client,
      ...counts
    })
  }
}

const factsOf = ({ headers, method, url }: IncomingMessage) => ({
  method: method ?? "GET",
  path: (url ?? "/").split("?", 1)[0]!,
  upgrade: headers.upgrade,
  version: headers["sec-websocket-version"] as string | undefined,
  key: headers["sec-websocket-key"] as string | undefined,
  protocols: headers["sec-websocket-protocol"] as string | undefined,
  origin: headers.origin,
  host: first(headers["x-forwarded-host"]) ?? headers.host
})

/** The listener removes forwarded headers that no trusted proxy sent. No header reports the client's port. */
const sideOf = ({ headers, socket }: IncomingMessage, address: string) =>
  clientSide({
    address,
    port: headers["x-forwarded-for"] === undefined ? socket.remotePort : undefined,
    secure: first(headers["x-forwarded-proto"]) === "https"
  })

const first = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  header === undefined ? undefined : String(header).split(",", 1)[0]!.trim()
