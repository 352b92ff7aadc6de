/** Desktop notifications. They are shown when the event requests them and the user allowed them in this browser. */
import { signal } from "@preact/signals"
import { follow } from "./Follow.ts"
import type { Notice } from "./Notices.ts"
import { on } from "./Socket.ts"

/** `none`: the browser does not support notifications. */
export const permission = signal<NotificationPermission | "none">(
  "Notification" in globalThis ? Notification.permission : "none"
)

/** Browsers show the permission prompt only after a click or key press. */
export const askPermission = async (): Promise<void> => {
  permission.value = await Notification.requestPermission()
}

/**
 * Whether this browser receives push messages. It then shows notifications itself, so a second one would be a
 * duplicate.
 */
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
  // Notifications with the same tag replace each other, so several open tabs show only one.
  const shown = new Notification(title, { body, tag: uuid, icon: "/console/icon.svg" })
  shown.onclick = () => {
    window.focus()
    shown.close()
    follow(action_url)
  }
}
