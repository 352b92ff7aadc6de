import type { HeadWeights } from "#protocols/wake-word/Head.ts"
import { MissingResult, readData, readIndex } from "./Artefacts.ts"
import { floatsOf, type WeightsEntry } from "./Entries.ts"

/** The weights that the phase `train` stored. Throws `MissingResult`. */
export const storedWeights = async (folder: string): Promise<HeadWeights> => {
  const [entry] = await readIndex<WeightsEntry>(folder, "train")
  if (entry === undefined) throw new MissingResult("train")
  return { hidden: entry.hidden, values: floatsOf(await readData(folder, "train")) }
}
