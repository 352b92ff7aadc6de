/** All answers of one snapshot. Hot answers are rendered at once, others at their first request. */
import { type Language, languages } from "#core/words/Language.ts"
import { memory } from "#core/lane/Remembering.ts"
import type { Snapshot } from "../status/Model.ts"
import { page, type Site, type Plan, status } from "./Plans.ts"
import { render, type Rendered } from "./Rendered.ts"

/**
 * Most cached answers beside the hot ones. Unit: answers. Reason: covers the common parameters within some tens of
 * megabytes.
 */
const maxKept = 512

/** Most requested answers, which are also written as files. */
const hotPlans: ReadonlyArray<Plan> = [page, status]

export interface Shelf {
  readonly snapshot: Snapshot
  /** Hot answer; undefined for other plans. */
  readonly hot: (plan: Plan, language: Language) => Rendered | undefined
  /** Answer of a plan; undefined when the item does not exist. Rejects only by a defect. */
  readonly find: (plan: Plan, language: Language) => Rendered | Promise<Rendered> | undefined
}

export const make = async (snapshot: Snapshot, site: Site): Promise<Shelf> => {
  const hot = new Map<Plan, Map<Language, Rendered>>()
  for (const plan of hotPlans) {
    const forms = new Map<Language, Rendered>()
    for (const language of languages) forms.set(language, await render(plan.write(snapshot, language, site)!))
    hot.set(plan, forms)
  }
  const kept = memory<string, Rendered | Promise<Rendered>>(maxKept)
  return {
    snapshot,
    hot: (plan, language) => hot.get(plan)?.get(language),
    find: (plan, language) => {
      const ready = hot.get(plan)?.get(language)
      if (ready !== undefined) return ready
      const key = `${language} ${plan.key}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const document = plan.write(snapshot, language, site)
      if (document === undefined) return undefined
      const made = render(document).then((rendered) => {
        kept.set(key, rendered)
        return rendered
      })
      kept.set(key, made)
      return made
    }
  }
}
