/** A camt file of any size on disk, for benches. Bookings differ, so that no cache of the engine helps. */
import { closeSync, openSync, writeSync } from "node:fs"
import { camtEntry, camtFrame } from "#support/bank/StatementFiles.ts"

/** Bytes written at once. */
const block = 1024 * 1024

/** Writes a camt.053 file of at least `size` bytes; returns the number of its bookings. */
export const writeCamtFile = (path: string, size: number): number => {
  const [head, tail] = camtFrame({ day: "2026-01-06", number: 1, opening: "0.00", closing: "0.00" })
  const file = openSync(path, "w")
  let written = writeSync(file, head)
  let bookings = 0
  while (written < size) {
    let text = ""
    while (text.length < block) text += entry(bookings++)
    written += writeSync(file, text)
  }
  writeSync(file, tail)
  closeSync(file)
  return bookings
}

const entry = (at: number): string =>
  camtEntry(
    {
      amount: `${at % 3 === 0 ? "-" : ""}${(at * 7) % 10_000}.${String(at % 100).padStart(2, "0")}`,
      text: `Rechnung RE-2026-${String(at).padStart(6, "0")} vom 5.1. Kundennummer ${(at * 31) % 100_000} Danke`,
      endToEndId: `E2E-${at}-${(at * 17) % 1_000_000}`,
      reference: `BANK${String(at).padStart(12, "0")}`,
      iban: `DE021203000000${String(at % 100_000_000).padStart(8, "0")}`,
      name: `Müller & Söhne ${at % 5_000} GmbH`
    },
    "EUR",
    "2026-01-06"
  )
