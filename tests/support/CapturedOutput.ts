import { Effect } from "effect"

/** What `effect` answers, and everything this process writes to its outputs while it runs. */
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
