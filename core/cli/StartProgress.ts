/**
 * Shows the steps of a start on standard error. On a terminal each step overwrites the one before, and the last one is
 * erased when everything is ready. Elsewhere each step is a line of its own, and steps that only update a count are
 * left out.
 */

/** The part of a stream that is used. */
export interface Screen {
  readonly isTTY?: boolean | undefined
  readonly write: (text: string) => unknown
}

export interface StartProgress {
  readonly show: (step: string) => void
  /** Removes the line. */
  readonly end: () => void
}

/** Carriage return, and the control sequence that erases the line. Source: ECMA-48 §8.3.41, erase in line. */
const erase = "\r\u001b[2K"

export const startProgress = (screen: Screen): StartProgress => {
  const isTerminal = screen.isTTY === true
  let subject = ""
  return {
    show: (step) => {
      if (isTerminal) return void screen.write(`${erase}starting ${step}`)
      const [name = step] = step.split(":")
      if (name !== subject) screen.write(`signalbox: starting ${name}\n`)
      subject = name
    },
    end: () => {
      if (isTerminal) screen.write(erase)
    }
  }
}
