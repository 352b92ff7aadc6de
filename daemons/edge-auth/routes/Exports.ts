/** Exports of protected routes for the features of edge-auth. */
export { CoverageReport, report } from "./CoverageReport.ts"
export * as RouteActs from "./RouteActs.ts"
export * as RouteRows from "./RouteRows.ts"
