/** What axe-core finds wrong with a page as it stands, and where pictures of pages are kept. */
import axe from "axe-core"
import { join } from "node:path"
import type { Page } from "playwright-core"

export const screenshots = join(import.meta.dirname, "../../var/screenshots")

/** Smallest screen. Unit: CSS pixels. Source: WCAG 2.2 §1.4.10 (reflow). */
export const narrow = 320

/** What axe-core calls worse than moderate. */
const grave = new Set(["serious", "critical"])

/**
 * Each finding that is worse than moderate, with the first three places of it. `without`: rules left out, each with a
 * reason at the call.
 */
export const graveFindings = async (
  page: Page,
  without: ReadonlyArray<string> = []
): Promise<ReadonlyArray<string>> => {
  // As an expression it is the browser's own doing: the page's policy admits no script tag.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source)
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]))
  const violations = await page.evaluate(
    async (rules) =>
      (
        await (globalThis as unknown as { axe: typeof axe }).axe.run(document, { rules, resultTypes: ["violations"] })
      ).violations.map(({ help, id, impact, nodes }) => ({
        id,
        impact: impact ?? "",
        help,
        at: nodes.map(({ failureSummary, target }) => `${target.join(" ")}: ${failureSummary}`)
      })),
    rules
  )
  return violations
    .filter(({ impact }) => grave.has(impact))
    .map(({ at, help, id }) => `${id}, ${help}\n${at.slice(0, 3).join("\n")}`)
}
