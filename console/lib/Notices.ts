/** Number of unread notifications, and changes to them. Tabs of the same browser inform each other. */
import { batch, computed, effect, signal } from "@preact/signals"
import { address, call, request } from "./Call.ts"
import type { Answer } from "./Endpoints.ts"
import { state } from "./Session.ts"
import { missed, on } from "./Socket.ts"
import { heldBack } from "./Undo.ts"

export type Notice = Answer<"GET /api/v1/notifications">["items"][number]

/** Number that the server has last answered. Undefined while unknown. */
const counted = signal<number | undefined>(undefined)

/** Number of unread notifications whose removal is held back for its undo. */
const held = signal(0)

/** Number of unread notifications. Undefined while unknown. */
export const unread = computed(() =>
  counted.value === undefined ? undefined : Math.max(0, counted.value - held.value)
)

/** Ids of removed notifications, from the moment on at which the user removes them. Lists do not show them. */
export const removed = signal<ReadonlySet<string>>(new Set())

/** Increases when the user reads or removes a notification, here or in another tab. */
export const changed = signal(0)

/** The latest notification that arrived while the page is open. */
export const latest = signal<Notice | undefined>(undefined)

/** Delay that combines several events into one request. Unit: milliseconds. */
const gathering = 200

const tabs = new BroadcastChannel("signalbox.notifications")
let waiting: ReturnType<typeof setTimeout> | undefined

const count = (): void => {
  waiting ??= setTimeout(() => {
    waiting = undefined
    if (state.value === "in")
      call("GET /api/v1/notifications/summary").then(
        (summary) => (counted.value = summary.unread),
        () => undefined
      )
  }, gathering)
}

const noted = (): void => {
  changed.value++
  count()
}

const did = async <A>(work: Promise<A>): Promise<A> => {
  try {
    return await work
  } finally {
    noted()
    tabs.postMessage("changed")
  }
}

export const markRead = (uuid: string): Promise<void> =>
  did(call("PUT /api/v1/notifications/:uuid/read", { params: { uuid } }))
export const markUnread = (uuid: string): Promise<void> =>
  did(call("DELETE /api/v1/notifications/:uuid/read", { params: { uuid } }))
export const readAll = (category?: string) => did(call("POST /api/v1/notifications/read-all", { query: { category } }))

/** Takes a `readAll` back, by the time that it answered. */
export const unreadAll = (read_at: string) => did(call("DELETE /api/v1/notifications/read-all", { query: { read_at } }))

/**
 * Removes a notification. The request is held back while its undo is offered, because a removed notification cannot be
 * made again. Resolves when it is removed or shown again. `done`: text of the offer.
 */
export const remove = async ({ read_at, uuid }: Notice, done: () => string): Promise<void> => {
  const fresh = read_at === null ? 1 : 0
  batch(() => {
    removed.value = new Set([...removed.peek(), uuid])
    held.value += fresh
  })
  let isSent = false
  try {
    const path = address("DELETE /api/v1/notifications/:uuid", { uuid })
    isSent = await heldBack(() => request(path, { method: "DELETE", keepalive: true }), done)
  } finally {
    batch(() => {
      held.value -= fresh
      if (isSent) counted.value = (counted.peek() ?? fresh) - fresh
      else removed.value = new Set([...removed.peek()].filter((one) => one !== uuid))
    })
    noted()
    if (isSent) tabs.postMessage("changed")
  }
}

tabs.onmessage = noted
on("notification.created", ({ data }) => {
  latest.value = data as unknown as Notice
  count()
})
effect(() => {
  void missed.value
  if (state.value === "in") return count()
  batch(() => {
    counted.value = undefined
    held.value = 0
    removed.value = new Set()
  })
  latest.value = undefined
})
