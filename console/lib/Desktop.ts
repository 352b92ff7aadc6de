/** Notifications of the desktop, for those who asked for them: the event says so, and a button was pressed on this machine. */
import { signal } from "@preact/signals"
import { ownPath } from "./Leading.ts"
import type { Notice } from "./Notices.ts"
import { on } from "./Socket.ts"

/** `none`: this browser has none. */
export const permission = signal<NotificationPermission | "none">("Notification" in globalThis ? Notification.permission : "none")

/** Browsers ask the person only after a press of theirs. */
export const askPermission = async (): Promise<void> => {
  permission.value = await Notification.requestPermission()
}

on("notification.created", ({ data }) => {
  if (data["browser"] !== true || permission.value !== "granted") return
  const { action_url, body, title, uuid } = data as unknown as Notice
  // The same tag: one of several open tabs shows it.
  const shown = new Notification(title, { body, tag: uuid, icon: "/console/icon.svg" })
  shown.onclick = () => {
    window.focus()
    shown.close()
    // By the page's own links, so that the router takes it.
    const link = document.createElement("a")
    link.href = (action_url === null ? undefined : ownPath(action_url, location.origin)) ?? "/console/notifications"
    document.body.append(link)
    link.click()
    link.remove()
  }
})
