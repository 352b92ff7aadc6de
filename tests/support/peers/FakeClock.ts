// A wall clock for processes of a test, which the test sets while they run (libfaketime). The monotonic clock stays.

import { Effect } from "effect"
import { existsSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryDirectory } from "../Postgres.ts"
import { fakeClocks } from "./Peers.ts"

export interface FakeClock {
  /** Variables of a process that has this clock. */
  readonly env: Readonly<Record<string, string>>
  /** Sets the clock; it goes on from there. Unit: milliseconds since 1970. */
  readonly set: (instant: number) => void
  /** What the clock shows now. Unit: milliseconds since 1970. */
  readonly now: () => number
}

/** A clock that shows the right time until it is set. Needs the peer `faketime`. */
export const make = Effect.gen(function* () {
  const file = join(yield* temporaryDirectory("clock"), "offset")
  let offset = 0
  const write = () => {
    // Renamed, because a process may read the file at any time. Format: seconds relative to the real clock.
    writeFileSync(`${file}.new`, `${offset < 0 ? "-" : "+"}${Math.abs(offset) / 1_000}\n`)
    renameSync(`${file}.new`, file)
  }
  write()
  return {
    env: {
      LD_PRELOAD: fakeClocks.find(existsSync) ?? "",
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      FAKETIME_DONT_RESET: "1"
    },
    set: (instant) => {
      offset = instant - Date.now()
      write()
    },
    now: () => Date.now() + offset
  } satisfies FakeClock as FakeClock
})
