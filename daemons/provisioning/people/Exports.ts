/** Exports of the feature people for other features of provisioning. */
export * as People from "./Store.ts"
