/**
 * Who the client of a request is, and the admission of every request and upgrade: determines the address and removes
 * headers that only we may set (StrippedHeaders).
 *
 * The library proxy-addr 2.0.8 parses the addresses again for each request, and takes 90 times as long on a kept
 * connection (Node 24).
 */
import ipaddr from "ipaddr.js"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { isForwardedHeader, isStripped, mayBeStripped } from "./StrippedHeaders.ts"

/** Whether an address is a trusted proxy, which may name its client in a header. */
export type Trusted = (address: string) => boolean

/** Builds the test from CIDRs (`SIGNALBOX_TRUSTED_PROXIES`). An address that cannot be parsed is not trusted. */
export const trustedFrom = (cidrs: ReadonlyArray<string>): Trusted => {
  const ranges = cidrs.map((cidr) => ipaddr.parseCIDR(cidr))
  return (address) => ipaddr.isValid(address) && ranges.some((range) => contains(range, ipaddr.process(address)))
}

/** Whether a range holds an address of the same family. */
export const contains = (
  [range, bits]: readonly [ipaddr.IPv4 | ipaddr.IPv6, number],
  address: ipaddr.IPv4 | ipaddr.IPv6
): boolean =>
  (range instanceof ipaddr.IPv4 && address instanceof ipaddr.IPv4 && address.match(range, bits)) ||
  (range instanceof ipaddr.IPv6 && address instanceof ipaddr.IPv6 && address.match(range, bits))

/** The loopback ranges, which are trusted when nothing is configured. */
export const loopback: ReadonlyArray<string> = ["127.0.0.0/8", "::1/128"]

const isOfLoopback = trustedFrom(loopback)

const clientKey = Symbol("client")
const peerKey = Symbol("peer")
const forwardedKey = Symbol("forwarded")

/** State of a connection, determined once, because parsing its address costs more than a whole fast-lane response. */
interface Peer {
  readonly address: string
  readonly mayForward: boolean
  /** `X-Forwarded-For` of the last request, and the client it named. */
  chain: string | undefined
  client: string
  /** The latest answer on the connection. */
  answer: ServerResponse | undefined
}

type PeerSocket = Duplex & { [peerKey]?: Peer }
type AdmittedRequest = IncomingMessage & { [clientKey]?: string; [forwardedKey]?: boolean }

/** The client's address: the peer's, or what trusted proxies say it is. Never an unchecked header. */
export const clientAddress = (request: IncomingMessage): string =>
  (request as AdmittedRequest)[clientKey] ?? plain(request.socket.remoteAddress ?? "unknown")

/** Address of the other end of the connection, a proxy or the client itself. */
export const peerAddress = (request: IncomingMessage): string => plain(request.socket.remoteAddress ?? "unknown")

/** Whether an address is of the loopback ranges. */
export const isLoopback = (address: string): boolean => isOfLoopback(address)

/** Whether a proxy sent the request on, trusted or not, as far as headers show it. Source of Via: RFC 9110 §7.6.3. */
export const isForwarded = (request: IncomingMessage): boolean =>
  (request as AdmittedRequest)[forwardedKey] === true ||
  Object.keys(request.headers).some((name) => name === "via" || isForwardedHeader(name))

/** The latest answer on a connection. */
export const answerOf = (socket: Duplex): ServerResponse | undefined => (socket as PeerSocket)[peerKey]?.answer

/** Determines the client and removes headers that only we may set. `answer` is remembered as the latest one. */
export const admit = (request: IncomingMessage, trusted: Trusted, answer?: ServerResponse): void => {
  const peer = peerOf(request.socket, trusted)
  const target = request.url ?? "/"
  if (!target.startsWith("/")) request.url = originForm(target)
  const names = request.rawHeaders
  for (let index = 0; index < names.length; index += 2) {
    if (!mayBeStripped(names[index]!, peer.mayForward)) continue
    strip(request, peer.mayForward)
    break
  }
  // Node has built this object before; it looks for `host` and `expect` in every request.
  const chain = peer.mayForward ? request.headers["x-forwarded-for"] : undefined
  ;(request as AdmittedRequest)[clientKey] = chain === undefined ? peer.address : clientOf(peer, String(chain), trusted)
  if (answer !== undefined) peer.answer = answer
}

/**
 * A proxy's connection carries several clients, but consecutive requests mostly have the same one, so the last is
 * cached.
 */
const clientOf = (peer: Peer, chain: string, trusted: Trusted): string => {
  if (peer.chain !== chain) {
    peer.client = resolveClient(peer.address, chain, trusted)
    peer.chain = chain
  }
  return peer.client
}

const peerOf = (socket: PeerSocket & { readonly remoteAddress?: string | undefined }, trusted: Trusted): Peer => {
  const known = socket[peerKey]
  if (known !== undefined) return known
  const address = plain(socket.remoteAddress ?? "unknown")
  return (socket[peerKey] = {
    address,
    mayForward: trusted(address),
    chain: undefined,
    client: address,
    answer: undefined
  })
}

const strip = (request: IncomingMessage, mayForward: boolean) => {
  const headers = request.headers
  let stripped = false
  for (const name in headers) {
    if (!isStripped(name, mayForward)) continue
    delete headers[name]
    stripped = true
    if (isForwardedHeader(name)) (request as AdmittedRequest)[forwardedKey] = true
  }
  if (stripped) stripRaw(request, mayForward)
}

/** Also removes the headers from the raw list (name and value alternate), because some code reads that list. */
const stripRaw = (request: IncomingMessage, mayForward: boolean) => {
  request.rawHeaders = request.rawHeaders.filter(
    (_, index, raw) => !isStripped(raw[index - (index % 2)]!.toLowerCase(), mayForward)
  )
}

/** A target in absolute form is the same request as its path. Source: RFC 9112 §3.2.2. */
const originForm = (target: string): string => target.replace(/^https?:\/\/[^/?#]*\/?/i, "/")

/** Walks the chain from the nearest hop outward and stops at the first untrusted one. Pure. */
export const resolveClient = (
  peer: string,
  chain: string | ReadonlyArray<string> | undefined,
  trusted: Trusted
): string => {
  const hops = String(chain ?? "")
    .split(",")
    .map((hop) => plain(hop.trim()))
    .filter((hop) => hop !== "")
  let client = peer
  for (const hop of hops.reverse()) {
    if (!trusted(client) || !ipaddr.isValid(hop)) break
    client = hop
  }
  return client
}

/** An IPv4-mapped IPv6 address as IPv4. */
const plain = (address: string): string =>
  address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address
