/**
 * Events as they happen, over one WebSocket for the whole page. It says who it is in its first frame and again before
 * the token runs out, comes back with the last id it saw so that nothing is missed, and waits longer from one failed
 * try to the next.
 */
import { effect, signal } from "@preact/signals"
import { renew, state, token } from "./Session.ts"

export interface LiveEvent {
  readonly id: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Whether events arrive: `lost` says that some were missed for good, so what is shown is to be loaded anew. */
export const connection = signal<"closed" | "open">("closed")

/** Counts up when events were missed for good; pages that depend on it load anew. */
export const missed = signal(0)

/** First and longest pause between two tries. Unit: milliseconds. */
const firstPause = 500
const longestPause = 15_000

/**
 * So often we ask whether the other side is there. Unit: milliseconds. Reason: proxies close what is quiet for a
 * minute.
 */
const pingEvery = 25_000

/**
 * Closing codes of the server: not signed in any more; our place is gone. Source: comm-dispatcher, the event socket.
 */
const notSignedIn = 4401
const placeGone = 4410

type Handler = (event: LiveEvent) => void

/** One handler may be there for several patterns. */
const handlers = new Set<{ readonly pattern: string; readonly handler: Handler }>()
let socket: WebSocket | undefined
let lastId: string | undefined
let pause = firstPause
let ping: ReturnType<typeof setInterval> | undefined
let retry: ReturnType<typeof setTimeout> | undefined

/** Whether an event's type fits a pattern: exact, `order.*`, or `*`. */
export const matches = (pattern: string, type: string): boolean =>
  pattern === "*" || pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)))

/** Calls `handler` for each event that fits, until the answered function is called. */
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
    // What happened after a page was loaded and before this was heard by nobody.
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
