/** The ring of a stream against a plain list of bytes. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { AudioRing, capacity } from "#daemons/wake-word/listening/threads/AudioRing.ts"

it("gives all bytes once and in order, and takes no more than it has room for", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.nat(capacity + 100)), { minLength: 1, maxLength: 40 }),
      (actions) => {
        const writer = new AudioRing()
        const reader = new AudioRing(writer.shared)
        let [sent, received] = [0, 0]
        for (const [isWrite, size] of actions) {
          if (isWrite) {
            const part = Uint8Array.from({ length: size }, (_, at) => ((sent + at) * 31) & 255)
            const taken = writer.write(part)
            expect(taken).toBe(Math.min(size, capacity - (sent - received)))
            sent += taken
            continue
          }
          let left = size
          reader.read((part) => {
            const taken = Math.min(left, part.length)
            for (let at = 0; at < taken; at++) if (part[at] !== (((received + at) * 31) & 255)) throw new Error("byte")
            left -= taken
            received += taken
            return taken
          })
          expect(left === 0 || received === sent).toBe(true)
        }
      }
    ),
    { numRuns: 100 }
  )
})
