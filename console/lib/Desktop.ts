/**
 * Notifications of the desktop, for those who asked for them: the event says so, and a button was pressed on this
 * machine.
 */
import { signal } from "@preact/signals"
import { follow } from "./Follow.ts"
import type { Notice } from "./Notices.ts"
import { on } from "./Socket.ts"

/** `none`: this browser has none. */
export const permission = signal<NotificationPermission | "none">(
  "Notification" in globalThis ? Notification.permission : "none"
)

/** Browsers ask the person only after a press of theirs. */
export const askPermission = async (): Promise<void> => {
  permission.value = await Notification.requestPermission()
}

/** A browser that is pushed to shows it by that: both would show it twice. */
const isPushedTo = async (): Promise<boolean> =>
  "serviceWorker" in navigator &&
  ((await (await navigator.serviceWorker.getRegistration("/console/"))?.pushManager?.getSubscription()) ?? null) !==
    null

on("notification.created", ({ data }) => {
  if (data["browser"] !== true || permission.value !== "granted") return
  void isPushedTo()
    .catch(() => false)
    .then((pushed) => pushed || show(data))
})

const show = (data: Readonly<Record<string, unknown>>): void => {
  const { action_url, body, title, uuid } = data as unknown as Notice
  // The same tag: one of several open tabs shows it.
  const shown = new Notification(title, { body, tag: uuid, icon: "/console/icon.svg" })
  shown.onclick = () => {
    window.focus()
    shown.close()
    follow(action_url)
  }
}
