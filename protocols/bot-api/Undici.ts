/**
 * What this folder uses of undici, in a module of ours. Reason: the bundle gives a CommonJS library that is imported
 * late no named exports.
 */
export { Agent, fetch, FormData } from "undici"
