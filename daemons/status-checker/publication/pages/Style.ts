/**
 * Style of the pages. Every colour is a pair for light and dark mode. Text has a contrast of at least 4.5:1, bars and
 * icons 3:1 (WCAG 2.2 §1.4.3, §1.4.11). `o d p m w u` are the statuses of Icons.ts.
 */
import { barHeights } from "./Bars.ts"
import { letters } from "./Icons.ts"
import type { ShownStatus } from "../../status/Vocabulary.ts"

const heights = Object.entries(barHeights)
  .map(
    ([state, height]) =>
      `.bars .${letters[state as ShownStatus]},.sample .${letters[state as ShownStatus]}{stroke-width:${height}}`
  )
  .join("\n")

export const style = `
:root { color-scheme: light dark; --ground: light-dark(#f5f6f8, #12151a); --card: light-dark(#fff, #1b1f26);
  --line: light-dark(#dde1e7, #323842); --text: light-dark(#1a1f27, #e8ebf0); --soft: light-dark(#566070, #a6b0bf);
    --accent: light-dark(#0b57b0, #8ab8ff); --on-accent: light-dark(#fff, #0b1f3a);
      --error: light-dark(#b3211b, #ff9d96) }
.o { --c: light-dark(#1d8a50, #4cc587); --g: light-dark(#e3f4ea, #15301f) }
.d { --c: light-dark(#a87400, #edc04d); --g: light-dark(#fdf3d7, #352a0d) }
.p { --c: light-dark(#cc5510, #ff9a57); --g: light-dark(#fdeadd, #3b2211) }
.m { --c: light-dark(#c2261d, #ff7a70); --g: light-dark(#fde6e4, #401a18) }
.w { --c: light-dark(#2f6fd0, #78acff); --g: light-dark(#e5effd, #182b48) }
.u { --c: light-dark(#7a8493, #8b95a4); --g: light-dark(#ebedf1, #262b33) }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: var(--ground); color: var(--text);
  overflow-wrap: anywhere }
header, main, footer { max-width: 54rem; margin: 0 auto; padding: 0 1rem }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; align-items: center;
  padding-block: 1.25rem }
header nav { display: flex; gap: 1rem } nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none }
.site { font-weight: 700; font-size: 1.1rem; color: inherit; text-decoration: none }
main:focus { outline: none }
h1, h2, h3, h4, p, ul, ol { margin: 0 } ul, ol { padding: 0; list-style: none }
h1 { font-size: 1.5rem; line-height: 1.25 } h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem }
.card > h2 { margin-top: 0 } h3, h4 { font-size: 1rem }
a { color: var(--accent) } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px }
small, .soft, .note, .facts, .affects, .when time, .edge, .quiet { color: var(--soft) }
small, .note, .facts, .affects, .when, .edge, .share, summary, .legend, table { font-size: .875rem }
.unseen, .sheet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap }
.skip { position: absolute; left: -99rem; background: var(--card); padding: .5rem 1rem }
.skip:focus { left: 1rem; top: .5rem }
.icon { flex: none; width: 1.1rem; height: 1.1rem; fill: var(--c) }
.sign { fill: none; stroke: var(--card); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
.state { display: inline-flex; gap: .4rem; align-items: center; color: var(--text) }
.card, .incident { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem;
  margin-bottom: 1rem }
.banner { display: flex; flex-wrap: wrap; gap: 1rem 1.25rem; align-items: center; background: var(--g);
  border: 1px solid var(--c); border-left-width: .5rem; border-radius: .75rem; padding: 1.25rem 1.5rem;
    margin-bottom: 1rem }
.banner > div { flex: 1 1 14rem } .banner h1 { margin-bottom: .15rem }
.banner > .icon { width: 2.75rem; height: 2.75rem } .banner .sign { stroke: var(--g) }
button, .button, input, select { font: inherit; color: inherit; min-height: 2.75rem; padding: .4rem .75rem;
  border: 1px solid light-dark(#858f9d, #6b7583); border-radius: .5rem; background: var(--card); max-width: 100% }
.button { display: inline-flex; align-items: center; text-decoration: none; font-weight: 600;
  border-color: currentColor; background: none }
button { cursor: pointer } .primary { background: var(--accent); color: var(--on-accent); border-color: transparent;
  font-weight: 600; padding-inline: 1.5rem; margin-top: 1rem }
.line { display: flex; flex-wrap: wrap; gap: .1rem 1rem; justify-content: space-between; align-items: center }
.line h3, .line h4 { flex: 1 1 auto; max-width: 100% } .line .state { font-size: .9375rem }
.group { padding-bottom: .75rem; border-bottom: 1px solid var(--line) } .group h3 { font-size: 1.0625rem }
.group + ul { padding-top: 1rem } .components h4 { font-weight: 600 }
.components { display: grid; gap: 1.5rem }
.history { display: grid; grid-template-columns: 1fr auto 1fr; gap: .3rem .5rem; margin-top: .4rem;
  align-items: baseline } .edge { white-space: nowrap } .edge { grid-row: 2 }
  .history > :last-child { text-align: end; grid-column: -2 } .share { text-align: center }
.history > .bars { grid-column: 1 / -1 } .history > .share, .history > details { grid-row: 2; grid-column: 2 }
.history > details[open] { grid-row: 3; grid-column: 1 / -1 } .history summary { text-align: center }
.bars { display: block; width: 100%; height: 2.25rem }
.bars path, .sample path { fill: none; stroke: var(--c); stroke-dasharray: 3 1 } .bars .n { stroke-dasharray: 1.2 2.8 }
${heights}
.answers > .lines { grid-column: 1 / -1; display: block; width: 100%; height: 1.875rem;
  border-bottom: 1px solid var(--line) }
.lines path { fill: none; vector-effect: non-scaling-stroke }
.lines .area { fill: light-dark(#d3e2f8, #21385c) }
.lines .mean { stroke: light-dark(#2f6fd0, #78acff); stroke-width: 1.5 }
.legend { color: var(--soft); padding: 0 .25rem }
.legend ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: .25rem }
.legend ul + p { margin-top: .25rem }
.legend li { display: flex; gap: .45rem; align-items: end; line-height: 1.3 } .legend .sample { margin-bottom: .15rem }
.sample { width: .3125rem; height: 1.375rem; flex: none }
summary { cursor: pointer; padding: .15rem .25rem } details[open] > summary { margin-bottom: .5rem }
table { border-collapse: collapse; width: 100%; background: var(--card) }
th, td { text-align: start; font-weight: 400; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top } thead th { color: var(--soft) } table { overflow-wrap: break-word }
  .history tr > :last-child { font-variant-numeric: tabular-nums; white-space: nowrap; padding-right: 0 }
.incident { border-left: .35rem solid light-dark(#a87400, #edc04d) }
.incident.major { border-left-color: light-dark(#cc5510, #ff9a57) }
.incident.critical { border-left-color: light-dark(#c2261d, #ff7a70) } .incident.over { border-left-color: var(--line) }
.incident.work { border-left-color: light-dark(#2f6fd0, #78acff) }
.facts { display: flex; flex-wrap: wrap; gap: .1rem 1rem; align-items: center; margin: .25rem 0 }
.said { white-space: pre-line; margin-top: .35rem }
.incident details { margin-top: .5rem }
.timeline { margin-top: 1rem; padding-left: .3rem } .timeline li { position: relative; padding: 0 0 1rem 1.4rem }
.timeline li:last-child { padding-bottom: 0 }
.timeline li:not(:last-child):after { content: ""; position: absolute; left: -.06rem; top: 1.15rem; bottom: -.4rem;
  border-left: 2px solid var(--line) }
.timeline li:before { content: ""; position: absolute; left: -.44rem; top: .4rem; width: .75rem; height: .75rem;
  border-radius: 50%; background: var(--card); border: 3px solid light-dark(#7a8493, #8b95a4) }
  .timeline li:first-child:before { border-color: var(--accent) }
  .timeline .resolved:before { border-color: light-dark(#1d8a50, #4cc587); background: light-dark(#1d8a50, #4cc587) }
.when { line-height: 1.75 } .timeline .said { margin-top: 0 }
.past { margin-bottom: 2.5rem } .past h3 { margin: 1.25rem 0 .5rem } .quiet { padding: .5rem 0 }
.fields { display: flex; flex-wrap: wrap; gap: .75rem 1rem; margin-top: 1rem }
.fields > div { display: grid; gap: .25rem; flex: 1 1 12rem; align-content: start }
.fields > div:first-child { flex-grow: 2 } label { font-weight: 600 }
[aria-invalid] { border-color: var(--error); border-width: 2px } .error { color: var(--error) }
p.error { border: 1px solid; border-radius: .5rem; padding: .5rem .75rem; margin-top: 1rem }
.which { margin-top: 1rem } fieldset { border: 0; padding: 0; margin: 0; display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: .25rem 1rem }
  legend { padding: 0; color: var(--soft); margin-bottom: .5rem }
.tick { display: flex; gap: .6rem; align-items: center; font-weight: 400; min-height: 2rem }
.tick input { min-height: 0; width: 1.15rem; height: 1.15rem; margin: 0; flex: none; accent-color: var(--accent) }
.slim { max-width: 34rem; margin: 1.5rem auto; padding: 1.75rem; display: grid; gap: .75rem }
.good { border-top: .35rem solid light-dark(#1d8a50, #4cc587) }
.bad { border-top: .35rem solid light-dark(#a87400, #edc04d) }
.list { margin-top: 1rem } .incident h2 { margin: 0; font-size: 1.0625rem }
footer { padding-block: 2rem 3rem; color: var(--soft); font-size: .875rem }
footer ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-bottom: .5rem }
.pager { display: flex; gap: 1.5rem; margin-top: 1rem }
@media (max-width: 34rem) { .line { display: block } .line .state { margin-top: .1rem }
.history { grid-template-columns: 1fr 1fr } .history > .share, .history > details { grid-row: 3; grid-column: 1 / -1 }
.history summary, .share { text-align: start } .bars path { stroke-dasharray: 2.6 1.4 }
.card, .incident, .banner { padding: 1rem } }
@media print { :root { color-scheme: light } header nav, .pager, .skip, .button, #subscribe, footer ul { display: none }
body { background: none } .card, .incident, .components li { break-inside: avoid } * { print-color-adjust: exact } }
`
