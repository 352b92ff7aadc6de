/*
 * Service worker that shows push messages while no page is open. It runs unbundled and only for the console (scope
 * /console/). It sends no requests and opens only console pages. Format of the messages:
 * daemons/comm-dispatcher/notifications/push/PushPayload.ts.
 */
const list = "/console/notifications"

/** Path of a console page; the list of notifications for any other address. */
const ownPath = (address) => {
  const url = typeof address === "string" ? URL.parse(address, self.location.origin) : null
  return url !== null && url.origin === self.location.origin && /^\/console(\/|$)/.test(url.pathname)
    ? url.pathname + url.search + url.hash
    : list
}

/** Address of an alarm's page, which can be acknowledged. */
const alarm = /^\/console\/alarms\/[\w-]+$/

/** Button of an alarm's notification. It opens a page that asks, because this worker has no access to the session. */
const actionsFor = (path) =>
  alarm.test(path)
    ? [{ action: "acknowledge", title: self.navigator.language.startsWith("de") ? "Quittieren" : "Acknowledge" }]
    : []

const read = (data) => {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

self.addEventListener("push", (event) => {
  const { action_url, body, severity, title, uuid } = read(event.data)
  // Browsers require a visible notification for each push. Notifications with the same tag replace each other.
  event.waitUntil(
    self.registration.showNotification(typeof title === "string" && title !== "" ? title : "Signalbox", {
      body: typeof body === "string" ? body : "",
      icon: "/console/icon.svg",
      requireInteraction: severity === "error",
      data: { path: ownPath(action_url) },
      actions: actionsFor(ownPath(action_url)),
      ...(typeof uuid === "string" ? { tag: uuid } : {})
    })
  )
})

self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  const page = ownPath(event.notification.data?.path)
  const path = event.action === "acknowledge" ? `${page}?acknowledge` : page
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then(async (windows) => {
      const open = windows.find(({ url }) => ownPath(url) !== list || new URL(url).pathname === list)
      if (open === undefined) return self.clients.openWindow(path)
      // The router of the open page shows it. Loading the page again would lose typed text.
      open.postMessage({ type: "open", path })
      return open.focus()
    })
  )
})
