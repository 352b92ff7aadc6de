/** What other features of edge-auth may use of the import. */
export { Imported } from "./Import.ts"
