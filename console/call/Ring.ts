/** Ringing tone, generated in the browser. Source: ITU-T E.180 supplement 2, Germany: 425 Hz, 1 s on, 4 s off. */
import { signal } from "@preact/signals"

/** Frequency of the tone. Unit: Hz. Source: interface document 1 §6. */
export const tone = 425

/** Length of one tone, and distance between two. Unit: seconds. */
const on = 1
const cycle = 5

/** Longest ringing. Unit: seconds. Source: interface document 1 §8. */
export const longest = 30

/** Volume, from 0 to 1. Reason: audible across a room, but not startling with headphones. */
const loud = 0.2

/** Fade of each tone, because an abrupt start clicks. Unit: seconds. */
const fade = 0.01

/** Whether the browser blocks sound. Browsers do so until the user interacts with the page. */
export const silent = signal(false)

let context: AudioContext | undefined

/** Number of rings that sound now. */
let rings = 0

/** Whether the context has run once. The browser then lets it run again. */
let unlocked = false

const audio = (): AudioContext | undefined => {
  if (context === undefined && "AudioContext" in globalThis) {
    const made = new AudioContext()
    made.onstatechange = () => {
      if (made.state === "running") unlocked = true
      settle(made)
    }
    context = made
  }
  return context
}

/** Runs the context during rings only, because a running one keeps the audio device and a processor busy. */
const settle = (made: AudioContext): void => {
  silent.value = rings > 0 && made.state === "suspended" && !unlocked
  if (rings === 0 && made.state === "running") made.suspend().catch(() => undefined)
  if (rings > 0 && made.state === "suspended") made.resume().catch(() => undefined)
}

const wake = (): void => {
  if (unlocked) return
  const made = audio()
  if (made?.state === "suspended") made.resume().catch(() => undefined)
}

/** Unlocks sound at the user's interactions, before any call arrives. Returns a function that removes the listeners. */
export const prepare = (): (() => void) => {
  const presses = ["pointerdown", "keydown"] as const
  for (const press of presses) addEventListener(press, wake, { capture: true, passive: true })
  return () => {
    for (const press of presses) removeEventListener(press, wake, { capture: true })
  }
}

/**
 * Rings until the returned function is called, at most `seconds`. The audio clock sets the times, because timers of a
 * background page are slowed down.
 */
export const ring = ({
  seconds = longest,
  volume = loud
}: { readonly seconds?: number; readonly volume?: number } = {}): (() => void) => {
  const made = audio()
  if (made === undefined) return () => {}
  rings++
  settle(made)
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
  let over = false
  const end = () => {
    if (over) return
    over = true
    oscillator.disconnect()
    gain.disconnect()
    rings--
    settle(made)
  }
  oscillator.onended = end
  return () => {
    oscillator.stop()
    end()
  }
}
