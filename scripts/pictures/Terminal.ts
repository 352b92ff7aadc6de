/** A terminal window as an HTML page: a command and what it printed. Pure. */
import { escaped } from "#core/html/Escape.ts"
import { rowsOf, screen } from "../../tests/support/Screen.ts"

/** Width of a character of a monospace font. Unit: em. Reason: that of the common fonts; the page is a little wider. */
const characterWidth = 0.62

/** The page. `command`: without the prompt; `output`: as printed, without control sequences. */
export const terminalPage = (command: string, output: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(command)}</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; padding: 8px; background: light-dark(#d9dde3, #3a3f47) }
main {
  --character: ${characterWidth}em;
  width: calc(${screen.columns} * var(--character) + 2em);
  margin: 0 auto; overflow: hidden;
  font: min(14px, calc((100vw - 16px) / ${screen.columns * characterWidth + 2})) / 1.4 monospace;
  color: light-dark(#1b1f24, #e6e9ee); background: light-dark(#fff, #14171b); border-radius: 6px
}
h1 { margin: 0; padding: .4em 1em; font: inherit; background: light-dark(#eef0f3, #262b31) }
pre { box-sizing: border-box; min-height: ${screen.rows * 1.4 + 1.2}em; margin: 0; padding: .6em 1em; font: inherit }
</style>
<main>
<h1>Terminal</h1>
<pre>$ ${escaped(command)}
${rowsOf(output).map(escaped).join("\n")}</pre>
</main>
</html>
`
