import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { asCalled } from "#core/cli/HelpText.ts"
import { readSourceTree } from "#support/SourceTree.ts"

const root = join(import.meta.dirname, "../../..")

/** The text from `start` to the parenthesis that closes the first one opened before it. */
const untilClosed = (text: string, start: number): number => {
  let depth = 1
  let at = start
  for (; depth > 0 && at < text.length; at++) depth += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0
  return at
}

/** Declarations of flags and arguments that have a default value, in one file. */
const withDefaults = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:Flag|Argument)\.(?:String|Int|Literals)\(/g)].flatMap((match) => {
    const end = untilClosed(text, match.index + match[0].length)
    if (!text.startsWith(".pipe(", end)) return []
    const whole = text.slice(match.index, untilClosed(text, end + ".pipe(".length))
    return whole.includes("withDefault") ? [whole] : []
  })

describe("help", () => {
  it("says the default of every flag and argument that has one", () => {
    const files = readSourceTree(root).filter(({ path }) => /^(core\/cli|daemons)\/.*\.ts$/.test(path))
    const all = files.flatMap(({ path }) => withDefaults(readFileSync(join(root, path), "utf8")))
    expect(all.length).toBeGreaterThan(25)
    expect(all.filter((one) => !/default/i.test(one.replace(/withDefault(<\w+>)?\([^)]*\)/, "")))).toEqual([])
  })

  it("shows commands as they are called from the folder of the program", () => {
    expect(asCalled("signalbox alarm send --demo")).toBe("bin/signalbox alarm send --demo")
    expect(asCalled("SIGNALBOX_DATA_DIR=/srv/signalbox signalbox up")).toBe(
      "SIGNALBOX_DATA_DIR=/srv/signalbox bin/signalbox up"
    )
    expect(asCalled("cat x | signalbox settings import -")).toBe("cat x | bin/signalbox settings import -")
    expect(asCalled("bin/signalbox up")).toBe("bin/signalbox up")
    expect(asCalled("systemctl start signalbox.target")).toBe("systemctl start signalbox.target")
  })
})
