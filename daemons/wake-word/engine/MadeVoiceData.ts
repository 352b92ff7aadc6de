/**
 * A data directory for espeak-ng that has the variants of `MadeVoices.ts` in place of its own ones. Reason: espeak-ng
 * 1.51 knows 350 voices at most.
 */
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { madeVariants } from "#protocols/wake-word/MadeVoices.ts"

/** Name that espeak-ng expects below the path given to it. */
const directory = "espeak-ng-data"

/** Folders in `voices`: variants, and voices that need mbrola. */
const variants = "!v"
const mbrola = "mb"

/** The data directory that `espeak-ng --version` names; undefined: it names none. */
export const dataOf = (version: string): string | undefined => /Data at: (\S.*\S)\s*$/m.exec(version)?.[1]

/**
 * Makes the directory below `folder`, with links to the files of `data`, and returns the folder for `--path`. An older
 * one is replaced.
 */
export const makeVoiceData = async (data: string, folder: string): Promise<string> => {
  const own = join(folder, directory)
  await rm(own, { recursive: true, force: true })
  await mkdir(join(own, "voices", variants), { recursive: true })
  const link = async (part: string, ...except: ReadonlyArray<string>) => {
    for (const name of await readdir(join(data, part)))
      if (!except.includes(name)) await symlink(join(data, part, name), join(own, part, name))
  }
  await link("", "voices")
  await link("voices", variants, mbrola)
  for (const { file, name } of [...madeVariants.train, ...madeVariants.check])
    await writeFile(join(own, "voices", variants, name), file)
  return folder
}
