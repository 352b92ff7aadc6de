/** Accessibility findings of axe-core on an open page. */
import type axeCore from "axe-core"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

/** Smallest screen. Unit: CSS pixels. Source: WCAG 2.2 §1.4.10 (reflow). */
export const narrow = 320

export interface FindingsOptions {
  /** Disabled rules; each caller states the reason. */
  readonly without?: ReadonlyArray<string>
  /**
   * Whether all rules have already passed on the same markup in another language and theme. Then only the rules run
   * whose result depends on words, colours or lengths.
   */
  readonly again?: boolean
}

/** axe-core in its smaller form, which a browser parses in half of the time. Read once in each worker process. */
let source: string | undefined

/** Rules about names and languages (words), contrast and links in a text (colours), and scrolling (lengths). */
const dependent = /name|alt|title|label|lang|contrast|link-in-text-block|scrollable/

/** The part of axe-core's list of rules that its declarations leave out. */
interface Audited {
  readonly _audit: {
    readonly rules: ReadonlyArray<{
      readonly id: string
      readonly enabled: boolean
      readonly impact: string
      readonly tags: ReadonlyArray<string>
    }>
    /** Tags of rules that run only when they are named. */
    readonly tagExclude: ReadonlyArray<string>
  }
}

/**
 * Findings with an impact above moderate, each with its first three places. Rules with a lower impact do not run,
 * because they take a fifth of the time.
 */
export const graveFindings = async (
  page: Page,
  { again = false, without = [] }: FindingsOptions = {}
): Promise<ReadonlyArray<string>> => {
  // Runs as an expression of the browser's debugger, because the page's Content-Security-Policy forbids added script
  // tags.
  if (!(await page.evaluate("'axe' in globalThis"))) {
    source ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
    await page.evaluate(source)
  }
  return page.evaluate(
    async ({ only, without }) => {
      const { axe } = globalThis as unknown as { readonly axe: typeof axeCore & Audited }
      const { rules, tagExclude } = axe._audit
      const values = rules
        .filter(({ enabled, impact }) => enabled && (impact === "serious" || impact === "critical"))
        .filter(({ tags }) => !tags.some((tag) => tagExclude.includes(tag)))
        .map(({ id }) => id)
        .filter((id) => !without.includes(id) && new RegExp(only).test(id))
      const options: axeCore.RunOptions = {
        runOnly: { type: "rule", values },
        resultTypes: ["violations"],
        preload: false
      }
      return (await axe.run(document, options)).violations.map(
        ({ help, id, nodes }) =>
          `${id}, ${help}\n${nodes
            .slice(0, 3)
            .map(({ failureSummary, target }) => `${target.join(" ")}: ${failureSummary}`)
            .join("\n")}`
      )
    },
    { only: again ? dependent.source : "", without }
  )
}
