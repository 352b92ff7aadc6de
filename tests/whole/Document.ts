/** The shell commands of systemd/README.md, as an operator would type them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export interface Chapter {
  /** Heading of the first level. */
  readonly title: string
  /** All `sh` blocks below it, in their order. */
  readonly commands: string
}

/** Chapters of a Markdown text that have commands. Pure. */
export const chaptersOf = (text: string): ReadonlyArray<Chapter> =>
  text
    .split(/^# (?=[A-Z])/m)
    .slice(1)
    .map((chapter) => ({
      title: chapter.slice(0, chapter.indexOf("\n")),
      commands: Array.from(chapter.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => block!).join("")
    }))
    .filter(({ commands }) => commands !== "")

export const chapters = chaptersOf(readFileSync(join(import.meta.dirname, "../../systemd/README.md"), "utf8"))

/** The commands of a chapter. Throws when the document has no such chapter. */
export const commandsOf = (title: string): string => {
  const found = chapters.find((chapter) => chapter.title === title)
  if (found === undefined) throw new Error(`systemd/README.md has no chapter "${title}" with commands`)
  return found.commands
}
