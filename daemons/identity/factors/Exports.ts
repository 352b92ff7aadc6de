/** What the other features may use of factors. */
export { activeFactors } from "./ActiveFactors.ts"
export { secondFactors } from "./Layers.ts"
export * as MessengerStore from "./MessengerStore.ts"
export { SecondFactors } from "./SecondFactors.ts"
