/** Exports of the feature `imports` for other features of edge-auth. */
export { Imported } from "./Import.ts"
