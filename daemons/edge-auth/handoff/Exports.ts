/** Exports of the feature `handoff` for other features of edge-auth. */
export { makeOnward } from "./Onward.ts"
