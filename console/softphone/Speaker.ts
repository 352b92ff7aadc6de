/**
 * Plays the other side's audio. The audio element is not part of a page, so that playback continues during navigation.
 */
import { effect } from "@preact/signals"
import { speaker } from "./Devices.ts"

const element = new Audio()
element.autoplay = true

/** Whether the browser lets a page select a speaker. */
export const mayChoose = "setSinkId" in HTMLMediaElement.prototype

effect(() => {
  const chosen = speaker.value
  // If the chosen speaker was unplugged, use the system's default.
  if (mayChoose) element.setSinkId(chosen).catch(() => element.setSinkId("").catch(() => undefined))
})

export const hear = (stream: MediaStream): void => {
  if (element.srcObject !== stream) element.srcObject = stream
  element.play().catch(() => undefined)
}

export const hearNothing = (): void => {
  element.pause()
  element.srcObject = null
}
