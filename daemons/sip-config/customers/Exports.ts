/** Exports of the feature customers for other features of sip-config. */
export { source } from "./CustomerTelling.ts"
export * as Lookup from "./Lookup.ts"
