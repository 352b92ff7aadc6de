/** Exports of the feature federation for other features of the daemon. */
export { consolePath } from "./ReturnTo.ts"
