/** Models, for listening and training. */
export { Curve, Metrics } from "./Metrics.ts"
export * as ModelStore from "./Store.ts"
