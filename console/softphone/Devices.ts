/** Microphones and speakers of this computer, and the user's choice, which is stored in this browser. */
import { signal } from "@preact/signals"

export interface Device {
  readonly id: string
  /** Empty until the page may use the microphone. */
  readonly label: string
}

const keys = { microphone: "signalbox.microphone", speaker: "signalbox.speaker" } as const
type Kind = keyof typeof keys

/** Device ids; empty: the system's default. */
export const microphone = signal(localStorage.getItem(keys.microphone) ?? "")
export const speaker = signal(localStorage.getItem(keys.speaker) ?? "")

export const microphones = signal<ReadonlyArray<Device>>([])
export const speakers = signal<ReadonlyArray<Device>>([])

/** Whether the browser gives this page a microphone, which it does not over plain http. */
export const able = (): boolean => "mediaDevices" in navigator && navigator.mediaDevices !== undefined

export const choose = (kind: Kind, id: string): void => {
  localStorage.setItem(keys[kind], id)
  ;(kind === "microphone" ? microphone : speaker).value = id
}

/** Reads the list of devices. */
export const look = async (): Promise<void> => {
  if (!able()) return
  const all = await navigator.mediaDevices.enumerateDevices()
  const of = (kind: MediaDeviceKind) =>
    all
      .filter((one) => one.kind === kind && one.deviceId !== "" && one.deviceId !== "default")
      .map(({ deviceId, label }) => ({ id: deviceId, label }))
  microphones.value = of("audioinput")
  speakers.value = of("audiooutput")
}

/**
 * Asks the user for the microphone permission. Without it, browsers hide the names of the devices. Rejects when the
 * user refuses.
 */
export const allow = async (): Promise<void> => {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  for (const track of stream.getTracks()) track.stop()
  await look()
}

/**
 * Opens the microphone for a call: the chosen one, or the default when the chosen one is missing or fails. The request
 * uses `exact`, because browsers may ignore a plain preference. Rejects with a DOMException when there is no microphone
 * or the user refuses.
 */
export const openMicrophone = async (): Promise<MediaStream> => {
  if (!able()) throw new DOMException("This page gets no microphone.", "NotSupportedError")
  const ask = (which: MediaTrackConstraints) =>
    navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, ...which }
    })
  const chosen = microphone.peek()
  if (chosen === "") return ask({})
  return ask({ deviceId: { exact: chosen } }).catch((error: DOMException) =>
    error.name === "NotAllowedError" ? Promise.reject(error) : ask({})
  )
}

if (able()) navigator.mediaDevices.addEventListener("devicechange", () => void look().catch(() => undefined))
