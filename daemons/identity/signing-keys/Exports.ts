/** Exports of the feature signing-keys for other features of the daemon. */
export { signingKeys } from "./Layers.ts"
