/** Exports of the feature factors for other features of the daemon. */
export { activeFactors } from "./ActiveFactors.ts"
export { secondFactors } from "./Layers.ts"
export * as MessengerStore from "./MessengerStore.ts"
export { SecondFactors } from "./SecondFactors.ts"
