/** Exports of the feature catalog for other features of provisioning. */
export * as Catalog from "./Store.ts"
export { fill, type Template, valuesFor } from "./Templates.ts"
