/** What operators' checks measure, and the group of their alerts. Pure. */
import { noThresholds, type Thresholds } from "../Thresholds.ts"
import type { Definition } from "../CheckDefinition.ts"
import type { Kind } from "../CheckKinds.ts"

/** Unit: days. Source of the first: interface document 3 §2.5. */
export const certificateLimits: Thresholds = { direction: "below", warning: 14, critical: 3 }

interface Measure {
  readonly kind: Kind
  readonly unit: string | null
  readonly thresholds: Thresholds
}

/** How the value of each definition is compared, before an operator's thresholds. */
export const valueOf = (definition: Definition): Measure => {
  switch (definition.type) {
    case "http":
    case "tcp":
      return { kind: definition.type, unit: "milliseconds", thresholds: noThresholds }
    case "certificate":
      return { kind: "certificate", unit: "days", thresholds: certificateLimits }
    case "command":
      return { kind: "command", unit: null, thresholds: noThresholds }
  }
}

/** Default group: the host of the definition. Pure. */
export const groupOf = (definition: Definition): string => {
  switch (definition.type) {
    case "http":
      return `host ${new URL(definition.url).hostname}`.slice(0, 200)
    case "tcp":
    case "certificate":
      return `host ${definition.host}`.slice(0, 200)
    case "command":
      return `command ${definition.program}`
  }
}
