/*
 * Shows what is pushed while no page is open. It runs in a browser as it is, beside the console and for it alone (scope
 * /console/): it asks nobody for anything, and opens no address but a page of the console. What is pushed:
 * daemons/comm-dispatcher/notifications/push/PushPayload.ts.
 */
const list = "/console/notifications"

/** Path of a page of ours; of anything else the list of notifications. */
const ownPath = (address) => {
  const url = typeof address === "string" ? URL.parse(address, self.location.origin) : null
  return url !== null && url.origin === self.location.origin && /^\/console(\/|$)/.test(url.pathname)
    ? url.pathname + url.search + url.hash
    : list
}

const read = (data) => {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

self.addEventListener("push", (event) => {
  const { action_url, body, severity, title, uuid } = read(event.data)
  // Browsers demand that something is shown. The same tag: what comes twice is shown once.
  event.waitUntil(
    self.registration.showNotification(typeof title === "string" && title !== "" ? title : "Signalbox", {
      body: typeof body === "string" ? body : "",
      icon: "/console/icon.svg",
      requireInteraction: severity === "error",
      data: { path: ownPath(action_url) },
      ...(typeof uuid === "string" ? { tag: uuid } : {})
    })
  )
})

self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  const path = ownPath(event.notification.data?.path)
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then(async (windows) => {
      const open = windows.find(({ url }) => ownPath(url) !== list || new URL(url).pathname === list)
      if (open === undefined) return self.clients.openWindow(path)
      // The page's router opens it, and what is typed there is not lost by a load.
      open.postMessage({ type: "open", path })
      return open.focus()
    })
  )
})
