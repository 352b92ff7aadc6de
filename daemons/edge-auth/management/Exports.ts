/** What other features of edge-auth use of the management. */
export { NewEdgeUser } from "./Api.ts"
