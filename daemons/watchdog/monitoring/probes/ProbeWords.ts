/** What the shared probes found, in the words of checks. Pure. */
import type { ProbeResult } from "#core/probes/ProbeResult.ts"
import type { ResultValues } from "../words/ResultValues.ts"
import { type Said, say } from "../words/Said.ts"

/** `response`: how long a good answer took. Unit: milliseconds. */
export const sayProbe = ({ found, outcome }: ProbeResult, response?: number): Said => {
  // Each probe of core/probes has a code.
  const { code, values } = found!
  const more = outcome === "up" && response !== undefined ? { response_ms: response } : {}
  return say(code, { ...values, ...more } as ResultValues[typeof code])
}
