import { Effect } from "effect"

/** Result of `effect`, and everything this process writes to stdout and stderr while it runs. */
export const captured = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      let text = ""
      const originals = [process.stderr, process.stdout].map((stream) => {
        const write = stream.write.bind(stream)
        stream.write = ((chunk: Uint8Array | string) => {
          text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()
          return true
        }) as typeof stream.write
        return () => void (stream.write = write)
      })
      return { text: () => text, restore: () => originals.forEach((restore) => restore()) }
    }),
    ({ text }) => Effect.map(effect, (value) => ({ value, text: text() })),
    ({ restore }) => Effect.sync(restore)
  )

/** Log lines of this process; each begins with its time. */
const logLine = /^\[\d\d:\d\d:/

/** A console that appends what commands print to `out`, without the log of this process and without stderr. */
export const recording = (out: Array<string>): Console => ({
  ...globalThis.console,
  log: (text: string) => void (logLine.test(text) || out.push(text)),
  error: () => {}
})
