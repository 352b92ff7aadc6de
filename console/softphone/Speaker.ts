/**
 * Where the other side is heard. Played by an element that stands on no page, so that it goes on while pages change.
 */
import { effect } from "@preact/signals"
import { speaker } from "./Devices.ts"

const element = new Audio()
element.autoplay = true

/** Whether this browser lets a page choose among speakers. */
export const mayChoose = "setSinkId" in HTMLMediaElement.prototype

effect(() => {
  const chosen = speaker.value
  // One that was pulled out since: the system's own.
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
