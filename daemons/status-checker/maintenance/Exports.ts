/** What other features of status-checker may use of maintenance. */
export { announced } from "./Store.ts"
