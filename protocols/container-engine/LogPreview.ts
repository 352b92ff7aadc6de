/**
 * Joins the log of a container with its attached output. The log is complete, but Podman reads its file only every 250
 * ms. The attached output arrives at once, without times, and begins somewhere in the middle.
 *
 * A line of the output is shown at once, and the same line of the log is skipped when it arrives. Every line of the log
 * is shown exactly once, also when the output lacks lines or ends. No I/O; the state is the lines that only one of the
 * two sources has delivered so far.
 */
import type { RawLine } from "./LogFrames.ts"

/** Maximum size of the lines that wait for the log. Unit: UTF-16 units. Reason: 250 ms of 4 MB/s. */
export const maxWaiting = 1024 * 1024

/** Added to the length of each waiting line. Reason: an entry needs memory without text too. Unit: UTF-16 units. */
const entryCost = 64

/**
 * Longest line that is shown from the output. Unit: UTF-16 units. Reason: engines write lines of 8 KiB and more in
 * pieces, so the log has another text than the output.
 */
const longestShown = 4 * 1024

/**
 * Number of waiting lines that a line of the log is compared with. Reason: both sources have the same order, so the
 * first ones match.
 */
const compared = 100

/** Maximum number of lines in `ahead` and in `passed`, per stream. Reason: the output is late by milliseconds only. */
const maxKept = 100

export interface LogPreview {
  /**
   * Decides about a line of the output. `hasRoom`: whether the reader can take a line now. `show`: show it. `wait`: do
   * not show it; the log will deliver it. `full`: too many lines wait for the log, so stop reading the output.
   */
  readonly attached: (line: RawLine, hasRoom: boolean) => "show" | "wait" | "full"
  /** Whether to show a line of the log. False: it was shown when the output brought it. */
  readonly logged: (line: RawLine) => boolean
}

type Texts = Record<RawLine["stream"], Array<string>>

interface Waiting {
  readonly text: string
  readonly shown: boolean
}

/** `since`: time of the request for the output. Earlier lines of the log are not in the output. */
export const makePreview = (since: Date): LogPreview => {
  const waiting: Record<RawLine["stream"], Array<Waiting>> = { stdout: [], stderr: [] }
  /** Texts of the log that the output has not delivered yet. */
  const ahead: Texts = { stdout: [], stderr: [] }
  /** Texts of shown lines whose line of the log did not arrive in the expected order. */
  const passed: Texts = { stdout: [], stderr: [] }
  let size = 0
  let notShown = 0
  // False until the first line that both sources have delivered. Before it, the log may deliver lines older than the
  // output.
  let isCaughtUp = false
  // Podman before version 5 writes whole seconds.
  const earliest = Math.floor(since.getTime() / 1_000) * 1_000
  return {
    attached: ({ stream, text }, hasRoom) => {
      const known = ahead[stream].lastIndexOf(text)
      if (known !== -1) {
        ahead[stream].splice(0, known + 1)
        isCaughtUp = true
        return "wait"
      }
      if (size + text.length + entryCost > maxWaiting) return "full"
      // Lines keep their order: after a line that waits, all later ones wait too.
      const shown = isCaughtUp && notShown === 0 && hasRoom && text.length <= longestShown
      waiting[stream].push({ text, shown })
      size += text.length + entryCost
      if (!shown) notShown++
      return shown ? "show" : "wait"
    },
    logged: ({ at, stream, text }) => {
      if (!isCaughtUp && at !== null && at.getTime() < earliest) return true
      const known = waiting[stream].slice(0, compared).findIndex((one) => one.text === text)
      if (known === -1) {
        const late = passed[stream].indexOf(text)
        if (late !== -1) passed[stream].splice(late, 1)
        else keep(ahead[stream], text)
        return late === -1
      }
      const gone = waiting[stream].splice(0, known + 1)
      // The waiting lines before it are in the log in another form (split or joined), or this is an older line with the
      // same text.
      for (const one of gone.slice(0, -1)) if (one.shown) keep(passed[stream], one.text)
      size -= gone.reduce((sum, one) => sum + one.text.length + entryCost, 0)
      notShown -= gone.filter((one) => !one.shown).length
      isCaughtUp = true
      return !gone.at(-1)!.shown
    }
  }
}

const keep = (texts: Array<string>, text: string): void => {
  texts.push(text)
  if (texts.length > maxKept) texts.shift()
}
