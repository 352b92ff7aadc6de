/** What other features of edge-auth may use of routes. */
export { CoverageReport, report } from "./CoverageReport.ts"
export * as RouteActs from "./RouteActs.ts"
export * as RouteRows from "./RouteRows.ts"
