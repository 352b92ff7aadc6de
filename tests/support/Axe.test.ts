/** Checks that axe-core finds faults of markup, words and colours, and which of them it finds again. */
import { expect, it } from "vitest"
import { graveFindings } from "./Axe.ts"
import { ensurePeers } from "./peers/install.ts"
import { sharedBrowser } from "./TestBrowser.ts"

const page = `<!doctype html><html lang="zz"><head><title>Faults</title></head><body>
<main><h1>Faults</h1><h4>After level one</h4>
<button></button>
<p style="color: #ccc; background: #fff">pale</p>
<ul><div>no item</div></ul>
<div role="checkbox" aria-label="Without a state" tabindex="0"></div></main></body></html>`

const rules = (findings: ReadonlyArray<string>) => findings.map((finding) => finding.split(",")[0]).toSorted()

it("finds grave faults, and those of words and colours again", async (context) => {
  await ensurePeers(["browser"])
  const browser = await sharedBrowser()
  if (browser === undefined) return context.skip("tests need Chromium: apt install chromium-headless-shell")
  const open = await browser.newPage()
  try {
    await open.setContent(page)
    // The order of headings is a finding of moderate impact.
    expect(rules(await graveFindings(open))).toEqual([
      "aria-required-attr",
      "button-name",
      "color-contrast",
      "html-lang-valid",
      "list"
    ])
    expect(rules(await graveFindings(open, { without: ["list", "button-name"] }))).toEqual([
      "aria-required-attr",
      "color-contrast",
      "html-lang-valid"
    ])
    expect(rules(await graveFindings(open, { again: true }))).toEqual([
      "button-name",
      "color-contrast",
      "html-lang-valid"
    ])
  } finally {
    await open.close()
  }
}, 120_000)
