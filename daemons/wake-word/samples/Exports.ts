/** Recordings, for training. */
export * as SampleStore from "./Store.ts"
