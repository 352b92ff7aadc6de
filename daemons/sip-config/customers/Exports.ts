/** What other features of sip-config may use of customers. */
export { source } from "./CustomerTelling.ts"
export * as Lookup from "./Lookup.ts"
