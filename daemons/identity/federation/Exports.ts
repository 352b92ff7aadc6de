/** What the other features may use of federation. */
export { consolePath } from "./ReturnTo.ts"
