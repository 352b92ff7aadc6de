import { headLayout, type HeadWeights } from "#protocols/wake-word/Head.ts"
import { MissingResult, readData, readIndex } from "./Artefacts.ts"
import { floatsOf, type WeightsEntry } from "./Entries.ts"

/** The weights that the phase `train` stored. Throws `MissingResult`, also for weights of another network. */
export const storedWeights = async (folder: string): Promise<HeadWeights> => {
  const [entry] = await readIndex<WeightsEntry>(folder, "train")
  if (entry === undefined) throw new MissingResult("train")
  const values = floatsOf(await readData(folder, "train"))
  const { size } = headLayout(entry.hidden)
  if (values.length === 0 || values.length % size !== 0) throw new MissingResult("train")
  return { hidden: entry.hidden, values }
}
