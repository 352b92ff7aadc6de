/** What the other features may use of signing-keys. */
export { signingKeys } from "./Layers.ts"
