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
  const of = (kind: MediaDeviceKind) => all.filter((one) => one.kind === kind && one.deviceId !== "" && one.deviceId !== "default").map(({ deviceId, label }) => ({ id: deviceId, label }))
  microphones.value = of("audioinput")
  speakers.value = of("audiooutput")
}

/** Asks the person for the microphone, which is when a browser tells what its devices are called. Rejects when they say no. */
export const allow = async (): Promise<void> => {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  for (const track of stream.getTracks()) track.stop()
  await look()
}

/** What a call asks the browser for. One that was pulled out since is not insisted on. */
export const constraints = (): MediaTrackConstraints => ({
  echoCancellation: true,
  noiseSuppression: true,
  autoGainControl: true,
  ...(microphone.peek() === "" ? {} : { deviceId: { ideal: microphone.peek() } })
})

if (able()) navigator.mediaDevices.addEventListener("devicechange", () => void look().catch(() => undefined))
