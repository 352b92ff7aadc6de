/** Icons with a different shape per status, so that colour is not required. Pure. */
import { h } from "preact"
import type { Severity } from "../../status/Vocabulary.ts"
import type { ShownStatus } from "../../status/Vocabulary.ts"

/** Class names of the statuses, short because a page contains hundreds. */
export const letters: Readonly<Record<ShownStatus, string>> = {
  operational: "o",
  degraded_performance: "d",
  partial_outage: "p",
  major_outage: "m",
  under_maintenance: "w",
  unknown: "u"
}

/** Filled shape on a 20 × 20 field, and the sign on it. */
const shapes: Readonly<Record<ShownStatus, { readonly ground: string; readonly sign: string }>> = {
  operational: { ground: "M10 1a9 9 0 1 1 0 18a9 9 0 1 1 0-18z", sign: "M6 10.3l2.8 2.8L14.2 7.5" },
  degraded_performance: { ground: "M10 .8L19.2 10L10 19.2L.8 10z", sign: "M6.4 10h7.2" },
  partial_outage: { ground: "M10 1.2L19.4 18.4H.6z", sign: "M10 7.4v4.8M10 15v.4" },
  major_outage: { ground: "M6.2 1h7.6L19 6.2v7.6L13.8 19H6.2L1 13.8V6.2z", sign: "M6.9 6.9l6.2 6.2M13.1 6.9l-6.2 6.2" },
  under_maintenance: {
    ground: "M3.5 1h13A2.5 2.5 0 0 1 19 3.5v13a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 1 16.5v-13A2.5 2.5 0 0 1 3.5 1z",
    sign: "M7.2 6v8M12.8 6v8"
  },
  unknown: {
    ground: "M10 1a9 9 0 1 1 0 18a9 9 0 1 1 0-18z",
    sign: "M7.4 7.6a2.6 2.6 0 1 1 3.6 2.4c-.7.3-1 .8-1 1.6M10 14.4v.4"
  }
}

/** Icon definitions, once per page. */
export const iconSheet = () =>
  h(
    "svg",
    { class: "sheet", "aria-hidden": "true", width: 0, height: 0 },
    ...Object.entries(shapes).map(([state, { ground, sign }]) =>
      h(
        "symbol",
        { id: `i-${letters[state as ShownStatus]}`, viewBox: "0 0 20 20" },
        h("path", { d: ground }),
        h("path", { class: "sign", d: sign })
      )
    )
  )

/** Hidden from screen readers, because text accompanies the icon. */
export const icon = (state: ShownStatus) =>
  h("svg", { class: `icon ${letters[state]}`, "aria-hidden": "true" }, h("use", { href: `#i-${letters[state]}` }))

/** Status with icon and text. */
export const stateLine = (state: ShownStatus, text: string) => h("p", { class: "state" }, icon(state), text)

/** Icon of an incident, by the status it implies. */
export const stateOf: Readonly<Record<Severity, ShownStatus>> = {
  minor: "degraded_performance",
  major: "partial_outage",
  critical: "major_outage"
}

const tabColors: Readonly<Record<ShownStatus, string>> = {
  operational: "#1d8a50",
  degraded_performance: "#b07d00",
  partial_outage: "#d05a10",
  major_outage: "#c8281f",
  under_maintenance: "#2f6fd0",
  unknown: "#66707e"
}

/** Icon for the browser tab, which cannot use the page's style. */
export const tabIcon = (state: ShownStatus): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">` +
  `<path d="${shapes[state].ground}" fill="${tabColors[state]}"/>` +
  `<path d="${shapes[state].sign}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>`
