/** All answers of one snapshot. Hot answers are rendered at once, others at their first request. */
import { type LanguageCode, offeredLanguages } from "#core/words/TextMemory.ts"
import { memory } from "#core/lane/Remembering.ts"
import type { RenderedAnswer } from "#core/lane/RenderedAnswer.ts"
import type { Snapshot } from "../status/Model.ts"
import { page, type Site, type Plan, status } from "./Plans.ts"
import { render } from "./Rendered.ts"

/**
 * Most cached answers beside the hot ones. Unit: answers. Reason: covers the common parameters within some tens of
 * megabytes.
 */
const maxKept = 512

/** The answers that readers request most; they are also written as files. */
const hotPlans: ReadonlyArray<Plan> = [page, status]

export interface Shelf {
  readonly snapshot: Snapshot
  /** Languages of the hot answers. */
  readonly languages: ReadonlyArray<LanguageCode>
  /** Hot answer; undefined for other plans, and for a language that was added a moment ago. */
  readonly hot: (plan: Plan, language: LanguageCode) => RenderedAnswer | undefined
  /** Answer of a plan; undefined when the item does not exist. Rejects only by a defect. */
  readonly find: (plan: Plan, language: LanguageCode) => RenderedAnswer | Promise<RenderedAnswer> | undefined
}

export const make = async (snapshot: Snapshot, site: Site): Promise<Shelf> => {
  const languages = offeredLanguages().map(({ code }) => code)
  const hot = new Map<Plan, Map<LanguageCode, RenderedAnswer>>()
  for (const plan of hotPlans) {
    const forms = new Map<LanguageCode, RenderedAnswer>()
    for (const language of languages) forms.set(language, await render(plan.write(snapshot, language, site)!))
    hot.set(plan, forms)
  }
  const kept = memory<string, RenderedAnswer | Promise<RenderedAnswer>>(maxKept)
  return {
    snapshot,
    languages,
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
