/** Exports of the feature notifications for other features. */
export * as Members from "./Members.ts"
