/**
 * Push messages to this browser, which also arrive while no page is open. It subscribes with the server's key;
 * `push-worker.js` shows the messages.
 */
import { signal } from "@preact/signals"
import { call } from "./Call.ts"
import { permission } from "./Desktop.ts"
import { follow } from "./Follow.ts"

/** `none`: the browser does not support push; `unknown`: not checked yet. */
export const pushes = signal<"none" | "unknown" | "off" | "on">(
  "serviceWorker" in navigator && "PushManager" in globalThis ? "unknown" : "none"
)

const worker = "/console/push-worker.js"
const scope = "/console/"

const subscription = async (): Promise<PushSubscription | null> =>
  (await (await navigator.serviceWorker.getRegistration(scope))?.pushManager.getSubscription()) ?? null

/**
 * Reads the subscription. An existing one is sent to the server again, because another user may have signed in or the
 * server may have lost it.
 */
export const look = async (): Promise<void> => {
  if (pushes.value === "none") return
  const found = await subscription()
  if (found !== null) await tell(found)
  pushes.value = found === null ? "off" : "on"
}

const tell = async (found: PushSubscription) => {
  const { endpoint, keys } = found.toJSON()
  return await call("POST /api/v1/notifications/push/subscriptions", {
    payload: { endpoint: endpoint ?? "", keys: { p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" } }
  })
}

/** Browsers show the permission prompt only after a click or key press. */
export const turnOn = async (): Promise<void> => {
  permission.value = await Notification.requestPermission()
  if (permission.value !== "granted") return
  const { public_key } = await call("GET /api/v1/notifications/push/key")
  await navigator.serviceWorker.register(worker, { scope })
  const { pushManager } = await navigator.serviceWorker.ready
  await tell(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }))
  pushes.value = "on"
}

export const turnOff = async (): Promise<void> => {
  const found = await subscription()
  if (found !== null) {
    const { id } = await tell(found)
    await call("DELETE /api/v1/notifications/push/subscriptions/:id", { params: { id } })
    await found.unsubscribe()
  }
  pushes.value = "off"
}

/**
 * Unsubscribes at sign-out, so that nothing more is shown in this browser. The server learns it from the push service.
 */
export const leave = async (): Promise<void> => {
  await subscription().then(
    (found) => found?.unsubscribe(),
    () => undefined
  )
  if (pushes.value === "on") pushes.value = "off"
}

if (pushes.value !== "none") {
  navigator.serviceWorker.addEventListener(
    "message",
    ({ data }: MessageEvent<{ readonly type?: unknown; readonly path?: unknown }>) => {
      if (data.type === "open" && typeof data.path === "string") follow(data.path)
    }
  )
}
