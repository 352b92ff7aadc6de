/** Reads QR codes with zbarimg, as a camera would: from pictures, SVG texts and the text of a terminal. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Content of the code in a picture file. */
const readFile = (file: string): string => {
  const options = ["--nodbus", "--quiet", "--raw", "--oneshot", "-Sdisable", "-Sqrcode.enable"]
  return execFileSync("zbarimg", [...options, file])
    .toString()
    .trimEnd()
}

const inFolder = <A>(use: (folder: string) => A): A => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-qr-"))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Content of the code in a picture, such as a screenshot. `type`: ending of its file name. */
export const readPicture = (picture: Uint8Array, type: "png" | "pbm" = "png"): string =>
  inFolder((folder) => {
    const file = join(folder, `qr.${type}`)
    writeFileSync(file, picture)
    return readFile(file)
  })

/** Content of the code in an SVG text. Needs ffmpeg. */
export const readSvg = (svg: string): string =>
  inFolder((folder) => {
    const [from, to] = [join(folder, "qr.svg"), join(folder, "qr.png")]
    writeFileSync(from, svg)
    execFileSync("ffmpeg", ["-y", "-loglevel", "error", "-i", from, to])
    return readFile(to)
  })

/** Side of a module in the picture of a terminal. Unit: pixels. */
const moduleSide = 6

/** Light halves of a character in a terminal with light text on dark ground: the upper one, the lower one. */
const halves: Readonly<Record<string, readonly [upper: boolean, lower: boolean]>> = {
  "█": [true, true],
  "▀": [true, false],
  "▄": [false, true],
  " ": [false, false]
}

/** Content of the code that a terminal shows with half blocks, two modules a character. Other lines are left out. */
export const readTerminal = (text: string): string => {
  const shown = text.split("\n").filter((line) => /^[█▀▄ ]+$/.test(line) && line.includes("█"))
  const rows = shown.flatMap((line) => [0, 1].map((half) => Array.from(line, (sign) => halves[sign]![half]!)))
  // In a bitmap 1 is dark.
  const lines = rows.flatMap((row) => {
    const line = row.map((isLight) => (isLight ? "0" : "1").repeat(moduleSide)).join("")
    return Array.from({ length: moduleSide }, () => line)
  })
  return readPicture(Buffer.from(`P1\n${lines[0]!.length} ${lines.length}\n${lines.join("\n")}\n`), "pbm")
}
