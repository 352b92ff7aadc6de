/**
 * Events over one WebSocket for the whole page. It authenticates in its first frame and again before the token expires.
 * After a reconnect it sends the last event id, so that no events are lost. Delays between failed attempts grow.
 */
import { effect, signal } from "@preact/signals"
import { renew, state, token } from "./Session.ts"

export interface LiveEvent {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Whether events arrive. */
export const connection = signal<"closed" | "open">("closed")

/** Increases when events were lost; pages that depend on events then load again. */
export const missed = signal(0)

/** First and longest delay between two attempts. Unit: milliseconds. */
const firstPause = 500
const longestPause = 15_000

/** Interval of pings. Unit: milliseconds. Reason: proxies close connections that are idle for a minute. */
const pingEvery = 25_000

/**
 * Close codes of the server: not signed in any more; the position in the event history is gone. Source:
 * comm-dispatcher, event socket.
 */
const notSignedIn = 4401
const placeGone = 4410

type Handler = (event: LiveEvent) => void

/** Set of objects, because one function may be registered for several patterns. */
const handlers = new Set<{ readonly pattern: string; readonly handler: Handler }>()
let socket: WebSocket | undefined
let lastId: string | undefined
let pause = firstPause
let ping: ReturnType<typeof setInterval> | undefined
let retry: ReturnType<typeof setTimeout> | undefined

/** Whether an event type matches a pattern: exact, `order.*`, or `*`. */
export const matches = (pattern: string, type: string): boolean =>
  pattern === "*" || pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)))

/** Calls `handler` for each matching event until the returned function is called. */
export const on = (pattern: string, handler: Handler): (() => void) => {
  const entry = { pattern, handler }
  handlers.add(entry)
  return () => void handlers.delete(entry)
}

const say = (type: string, data?: unknown): void => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(data === undefined ? { type } : { type, data }))
}

const connect = (): void => {
  clearTimeout(retry)
  const opened = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/v1/ws`)
  socket = opened
  opened.onopen = () => say("auth", { token: token.value })
  opened.onmessage = ({ data }) =>
    heard(JSON.parse(String(data)) as { type: string; id?: string; data?: Record<string, unknown> })
  opened.onclose = ({ code }) => {
    if (socket !== opened) return
    socket = undefined
    connection.value = "closed"
    clearInterval(ping)
    if (state.value !== "in") return
    if (code === placeGone) {
      lastId = undefined
      missed.value++
    }
    pause = Math.min(pause * 2, longestPause)
    retry = setTimeout(
      () => void (code === notSignedIn ? renew().then((signedIn) => signedIn && connect()) : connect()),
      pause * (0.5 + Math.random() / 2)
    )
  }
}

const heard = (frame: { type: string; id?: string; data?: Record<string, unknown> }): void => {
  if (frame.id !== undefined) {
    lastId = frame.id
    const event = { id: frame.id, type: frame.type, data: frame.data ?? {} }
    for (const { handler, pattern } of handlers) if (matches(pattern, event.type)) handler(event)
    return
  }
  if (frame.type === "auth_ok" && connection.value === "closed") {
    say("subscribe", { patterns: ["*"], ...(lastId === undefined ? {} : { last_event_id: lastId }) })
    ping = setInterval(() => say("ping"), pingEvery)
  }
  if (frame.type === "subscribed") {
    // Events between the page load and this connection were not received.
    if (lastId === undefined) missed.value++
    lastId = frame.data?.["last_event_id"] as string | undefined
    pause = firstPause
    connection.value = "open"
  }
}

const close = (): void => {
  clearTimeout(retry)
  clearInterval(ping)
  const open = socket
  socket = undefined
  lastId = undefined
  connection.value = "closed"
  open?.close(1000)
}

effect(() => {
  const held = token.value
  if (held === undefined) close()
  else if (socket === undefined) connect()
  else say("auth", { token: held })
})
