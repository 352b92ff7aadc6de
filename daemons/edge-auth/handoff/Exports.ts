/** What other features of edge-auth may use of hand-offs. */
export { makeOnward } from "./Onward.ts"
