/** Number of unread notifications, and changes to them. Tabs of the same browser inform each other. */
import { effect, signal } from "@preact/signals"
import { call } from "./Call.ts"
import type { Answer } from "./Endpoints.ts"
import { state } from "./Session.ts"
import { missed, on } from "./Socket.ts"

export type Notice = Answer<"GET /api/v1/notifications">["items"][number]

/** Undefined while unknown. */
export const unread = signal<number | undefined>(undefined)

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
        (summary) => (unread.value = summary.unread),
        () => undefined
      )
  }, gathering)
}

const noted = (): void => {
  changed.value++
  count()
}

const did = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work
  } finally {
    noted()
    tabs.postMessage("changed")
  }
}

export const markRead = (uuid: string): Promise<void> =>
  did(call("PUT /api/v1/notifications/:uuid/read", { params: { uuid } }))
export const remove = (uuid: string): Promise<void> =>
  did(call("DELETE /api/v1/notifications/:uuid", { params: { uuid } }))
export const readAll = (category?: string): Promise<void> =>
  did(call("POST /api/v1/notifications/read-all", { query: { category } }))

tabs.onmessage = noted
on("notification.created", ({ data }) => {
  latest.value = data as unknown as Notice
  count()
})
effect(() => {
  void missed.value
  if (state.value === "in") return count()
  unread.value = undefined
  latest.value = undefined
})
