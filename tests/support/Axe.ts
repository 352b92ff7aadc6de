/** Accessibility findings of axe-core on an open page. */
import axe from "axe-core"
import type { Page } from "playwright-core"

/** Smallest screen. Unit: CSS pixels. Source: WCAG 2.2 §1.4.10 (reflow). */
export const narrow = 320

/** Impact levels of axe-core above moderate. */
const grave = new Set(["serious", "critical"])

/**
 * Findings with an impact above moderate, each with its first three places. `without`: disabled rules; each caller
 * states the reason.
 */
export const graveFindings = async (
  page: Page,
  without: ReadonlyArray<string> = []
): Promise<ReadonlyArray<string>> => {
  // Runs as an expression of the browser's debugger, because the page's Content-Security-Policy forbids added script
  // tags.
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
