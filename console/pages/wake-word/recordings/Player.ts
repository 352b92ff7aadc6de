/** Plays one recording at a time. */
import { signal } from "@preact/signals"

/** Key of the recording that plays; undefined: none. */
export const playing = signal<string | undefined>(undefined)

const element = new Audio()
let url: string | undefined

export const stopPlaying = (): void => {
  element.pause()
  element.removeAttribute("src")
  if (url !== undefined) URL.revokeObjectURL(url)
  url = undefined
  playing.value = undefined
}

element.onended = stopPlaying

/** Plays what `get` gives, after the present one was stopped. Rejects when it cannot be loaded or played. */
export const play = async (key: string, get: () => Promise<Blob>): Promise<void> => {
  stopPlaying()
  playing.value = key
  try {
    const sound = await get()
    if (playing.peek() !== key) return
    url = URL.createObjectURL(sound)
    element.src = url
    await element.play()
  } catch (error) {
    // A newer recording that was started meanwhile ends this one with an error of its own.
    if (playing.peek() !== key) return
    stopPlaying()
    throw error
  }
}
