/** Models, for listening and training. */
export { gate } from "./Gate.ts"
export { CurvePoint, Metrics } from "./Metrics.ts"
export * as ModelStore from "./Store.ts"
