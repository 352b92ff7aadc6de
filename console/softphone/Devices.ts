/** Microphones and speakers of this machine, and which of them the person chose; the choice stays on this machine. */
import { signal } from "@preact/signals"

export interface Device {
  readonly id: string
  /** Empty before the page may use the microphone. */
  readonly label: string
}

const keys = { microphone: "signalbox.microphone", speaker: "signalbox.speaker" } as const
type Kind = keyof typeof keys

/** Ids; empty: as the system has it. */
export const microphone = signal(localStorage.getItem(keys.microphone) ?? "")
export const speaker = signal(localStorage.getItem(keys.speaker) ?? "")

export const microphones = signal<ReadonlyArray<Device>>([])
export const speakers = signal<ReadonlyArray<Device>>([])

/** Whether pages of this browser can have a microphone at all: not over plain http. */
export const able = (): boolean => "mediaDevices" in navigator && navigator.mediaDevices !== undefined

export const choose = (kind: Kind, id: string): void => {
  localStorage.setItem(keys[kind], id)
  ;(kind === "microphone" ? microphone : speaker).value = id
}

/** Learns what there is. */
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
 * Asks the person for the microphone, which is when a browser tells what its devices are called. Rejects when they say
 * no.
 */
export const allow = async (): Promise<void> => {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  for (const track of stream.getTracks()) track.stop()
  await look()
}

/**
 * The microphone for a call: the chosen one; where that was pulled out since or gives nothing, the system's own.
 * Insisted on, because browsers take a mere wish for theirs to grant. Rejects with a DOMException when there is none or
 * the person says no.
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
