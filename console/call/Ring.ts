/**
 * The ringing of a telephone, made by the page itself. Source: ITU-T E.180 supplement 2, Germany: 425 Hz, 1 s on, 4 s
 * off.
 */
import { signal } from "@preact/signals"

/** Unit: Hz. Source: interface document 1 §6. */
export const tone = 425

/** Unit: seconds. */
const on = 1
const cycle = 5

/** It ends by itself then. Unit: seconds. Source: interface document 1 §8. */
export const longest = 30

/** Of full. Reason: heard across a room, startling nobody with headphones. */
const loud = 0.2

/** A tone that begins at once cracks. Unit: seconds. */
const fade = 0.01

/** Browsers keep a page silent until somebody has pressed something on it. */
export const silent = signal(false)

let context: AudioContext | undefined

const audio = (): AudioContext | undefined => {
  if (context === undefined && "AudioContext" in globalThis) {
    const made = new AudioContext()
    made.onstatechange = () => (silent.value = made.state === "suspended")
    context = made
  }
  return context
}

const wake = (): void => {
  const made = audio()
  if (made?.state === "suspended") made.resume().catch(() => undefined)
}

/** Unlocks the sound at the person's next presses, long before anybody calls; answers the end of it. */
export const prepare = (): (() => void) => {
  const presses = ["pointerdown", "keydown"] as const
  for (const press of presses) addEventListener(press, wake, { capture: true, passive: true })
  return () => {
    for (const press of presses) removeEventListener(press, wake, { capture: true })
  }
}

/**
 * Rings until the answered function is called, at most `seconds`. By the clock of the sound, which a page in the
 * background keeps, too.
 */
export const ring = ({
  seconds = longest,
  volume = loud
}: { readonly seconds?: number; readonly volume?: number } = {}): (() => void) => {
  const made = audio()
  if (made === undefined) return () => {}
  wake()
  silent.value = made.state === "suspended"
  const oscillator = made.createOscillator()
  const gain = made.createGain()
  const begin = made.currentTime
  oscillator.frequency.value = tone
  gain.gain.setValueAtTime(0, begin)
  for (let at = begin; at < begin + seconds; at += cycle) {
    gain.gain.setValueAtTime(0, at)
    gain.gain.linearRampToValueAtTime(volume, at + fade)
    gain.gain.setValueAtTime(volume, at + on - fade)
    gain.gain.linearRampToValueAtTime(0, at + on)
  }
  oscillator.connect(gain).connect(made.destination)
  oscillator.start(begin)
  oscillator.stop(begin + seconds)
  return () => {
    oscillator.stop()
    oscillator.disconnect()
    gain.disconnect()
  }
}
